#include "passes/lower/whole.h"

static bool find_in_kernel(Puller *p, Instr *instr, int leaf, const Index *const *index, Elem *elem) {
    Kernel *kernel = p->source.context;
    HostValue *value = frame_value(kernel->frame, instr, leaf);
    if (!value) return false;
    const Place *place = frame_place(kernel->frame, value, instr->name);
    *elem = kernel_load_place(kernel, place, index);
    return true;
}

void kernel_begin(Kernel *kernel, Frame *frame, const Instr *instr, const char *title) {
    Lowering *low = frame->low;
    kernel->frame = frame;
    kernel->scope = scope_new(low, frame->host, arena_printf(low->arena, "%s_%s", low->options.prefix,
                                                              identifier_of(low->arena, instr->name, false)));
    kernel->scope->func->title = title;
    vec_push(low->arena, &kernel->scope->func->banner, instr);
    kernel->puller = (Puller){.low = low,
                              .func = kernel->scope->func,
                              .emitter = kernel->scope->emitter,
                              .pool = low->pool,
                              .access = low->access,
                              .source = {find_in_kernel, kernel},
                              .lanes = 1};
}

void kernel_end(Kernel *kernel, const Instr *instr) {
    scope_call(kernel->scope, instr);
}

int kernel_loops(Kernel *kernel, const Shape *shape, uint64_t without, const char *letter, const Index **index,
                 KForKind innermost) {
    IndexPool *pool = kernel->puller.pool;
    int n = 0, last = -1;
    for (int i = 0; i < shape->rank; i++)
        if (!(without >> i & 1) && shape->dims[i] != 1) last = i;
    for (int i = 0; i < shape->rank; i++) {
        if (without >> i & 1) continue;
        if (shape->dims[i] == 1) {
            index[i] = index_const(pool, 0);
            continue;
        }
        index[i] =
            emit_for(kernel->scope->emitter, arena_printf(kernel->puller.low->arena, "%s%d", letter, i),
                     index_const(pool, 0), index_const(pool, shape->dims[i]), 1, i == last ? innermost : KFOR_SERIAL);
        n++;
    }
    return n;
}

void kernel_close(Kernel *kernel, int loops) {
    for (int i = 0; i < loops; i++) emit_end(kernel->scope->emitter);
}

Elem kernel_load_place(Kernel *kernel, const Place *place, const Index *const *index) {
    return pull_load(&kernel->puller, scope_buffer(kernel->scope, place->buffer), place->shape, index);
}

Elem kernel_load(Kernel *kernel, Instr *instr, int leaf, const Index *const *index) {
    Elem elem = pull(&kernel->puller, instr, leaf, index);
    for (int i = 0; i < 2 && elem.part[i]; i++) elem.part[i] = emit_let(kernel->scope->emitter, elem.part[i], NULL);
    return elem;
}

void kernel_store(Kernel *kernel, const Place *place, const Index *const *index, Elem elem, const Instr *from) {
    KBuffer *buffer = scope_buffer(kernel->scope, place->buffer);
    push_store(&kernel->puller, buffer, place->shape->dtype, subscript_of(&kernel->puller, place->shape, index), elem,
               from);
}

void lower_relayout(Frame *frame, HostValue *value, KBuffer *buffer, const Shape *shape, const char *name) {
    Lowering *low = frame->low;
    Kernel kernel;
    Instr named = {.name = name};
    kernel_begin(&kernel, frame, &named, "copy to another layout");
    kernel.scope->func->banner.n = 0;
    const Index **index = NEW_ARRAY(low->arena, const Index *, shape->rank + 1);
    int loops = kernel_loops(&kernel, shape, 0, "i", index, KFOR_SERIAL);
    Place to = {buffer, shape, 0, false};
    kernel_store(&kernel, &to, index, kernel_load_place(&kernel, &value->place, index), NULL);
    kernel_close(&kernel, loops);
    kernel_end(&kernel, NULL);
}
