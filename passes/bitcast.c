#include "passes/passes.h"

/* A bitcast reinterprets bytes in the order of memory, so it is the one instruction that layouts change. Here it
 * becomes what says the same without them: a transpose to the memory order of the operand, a reshape (and a
 * bitcast-convert when the type changes), and a transpose back from the memory order of the result. Afterwards layouts
 * inside the module are hints, and whoever changes them need not think of bitcasts. */

typedef struct {
    int64_t *order;   /* logical dim at each place of memory, slowest first */
    int64_t *inverse; /* place in memory of each logical dim */
    int64_t *sizes;   /* in memory order */
} MemoryOrder;

static MemoryOrder memory_order(Arena *arena, const Shape *shape) {
    MemoryOrder m;
    m.order = NEW_ARRAY(arena, int64_t, 3 * shape->rank + 3);
    m.inverse = m.order + shape->rank;
    m.sizes = m.inverse + shape->rank; /* room for one more: the parts of an element */
    for (int i = 0; i < shape->rank; i++) {
        bool written = shape->layout && shape->layout->n_minor_to_major;
        m.order[i] = written ? shape->layout->minor_to_major[shape->rank - 1 - i] : i;
        m.inverse[m.order[i]] = i;
        m.sizes[i] = shape->dims[m.order[i]];
    }
    return m;
}

static Instr *convert_bits(Instr *value, DType to, int rank, const int64_t *dims, Span span) {
    const Shape *shape = shape_array(value->parent->module->arena, to, rank, dims);
    return instr_new(value->parent, OP_BITCAST_CONVERT, "bitcast-convert", shape, 1, &value, span);
}

/* The bytes of value, whose dims stand in memory order, as elements of type to with the dims of m. */
static Instr *reinterpret(Instr *value, const Shape *to, MemoryOrder m, Span span) {
    Arena *arena = value->parent->module->arena;
    int64_t *dims = NEW_ARRAY(arena, int64_t, to->rank + value->shape->rank + 2);
    int wide = dtype_bytes(to->dtype), narrow = dtype_bytes(value->shape->dtype);
    if (to->dtype == value->shape->dtype) return build_reshape(value, to->rank, m.sizes, span);
    for (int i = 0; i < to->rank; i++) dims[i] = m.sizes[i];
    if (wide >= narrow) { /* neighbours join into one element */
        dims[to->rank] = wide / narrow;
        value = build_reshape(value, to->rank + (wide > narrow), dims, span);
        return convert_bits(value, to->dtype, to->rank, m.sizes, span);
    }
    int rank = value->shape->rank;
    for (int i = 0; i < rank; i++) dims[i] = value->shape->dims[i];
    dims[rank] = narrow / wide;
    return build_reshape(convert_bits(value, to->dtype, rank + 1, dims, span), to->rank, m.sizes, span);
}

static void expand(Instr *bitcast) {
    Arena *arena = bitcast->parent->module->arena;
    Instr *operand = bitcast->operands[0];
    MemoryOrder from = memory_order(arena, operand->shape), to = memory_order(arena, bitcast->shape);
    Instr *value = build_transpose(operand, from.order, bitcast->span);
    value = reinterpret(value, bitcast->shape, to, bitcast->span);
    instr_replace_uses(bitcast, build_transpose(value, to.inverse, bitcast->span));
}

bool pass_bitcast(Module *module, Diags *diags) {
    (void)diags;
    bool changed = false;
    for (int c = 0; c < module->computations.n; c++) {
        Computation *computation = module->computations.at[c];
        bool here = false;
        int n = computation->instrs.n;
        for (int i = 0; i < n; i++) {
            computation->instrs.at[i]->mark = 0;
            if (computation->instrs.at[i]->op != OP_BITCAST || !shape_is_array(computation->instrs.at[i]->shape))
                continue;
            expand(computation->instrs.at[i]);
            here = true;
        }
        if (here) computation_renumber(computation);
        changed |= here;
    }
    return changed;
}
