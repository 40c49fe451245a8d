/* kernel_check and tile_check: right programs pass, and each broken invariant is found. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ir/kernel.h"
#include "parser/parser.h"
#include "passes/fuse/fuse.h"

/* What a child that runs check says before it ends with the code of our faults; "" when it does not. */
static const char *complaint(Arena *arena, void (*check)(const void *), const void *subject) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        check(subject);
        _exit(0);
    }
    close(ends[1]);
    char *said = NEW_ARRAY(arena, char, 4096);
    size_t n = 0;
    for (ssize_t got; n < 4095 && (got = read(ends[0], said + n, 4095 - n)) > 0;) n += (size_t)got;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (!WEXITSTATUS(status)) return "";
    assert_int_equal(WEXITSTATUS(status), 70);
    return said;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* for i = 0 to 4: let v = x[i * 4 ...], four lanes; store out[i * 4 ...] = add(v, v) */
typedef struct {
    Arena *arena;
    KProgram *program;
    KFunc *func;
    KBuffer *x, *out;
    KVar *i, *v;
    KStmt *loop, *let, *store;
    KValue *loaded, *sum;
} Kernel;

static KStmt *statement(Kernel *k, KBlock *block, KStmt stmt) {
    KStmt *made = NEW(k->arena, KStmt);
    *made = stmt;
    vec_push(k->arena, &block->stmts, made);
    return made;
}

static KBuffer *argument(Kernel *k, const char *name, bool written) {
    KBuffer *buffer = kbuffer_new(k->program, k->func, KBUFFER_ARGUMENT, name, DT_F32, 16);
    buffer->written = written;
    vec_push(k->arena, &k->func->params, ((KParam){KPARAM_BUFFER, buffer, NULL}));
    return buffer;
}

static Kernel kernel(void) {
    Kernel k = {.arena = arena_new()};
    k.program = NEW(k.arena, KProgram);
    k.program->arena = k.arena;
    k.program->pool = index_pool_new(k.arena);
    k.func = k.program->entry = kfunc_new(k.program, "f");
    k.func->is_entry = true;
    vec_push(k.arena, &k.program->funcs, k.func);
    k.x = argument(&k, "x", false);
    k.out = argument(&k, "out", true);
    KBlock *body = NEW(k.arena, KBlock);
    k.i = kvar_index(k.func, body, "i", (Interval){0, 3}, false);
    k.loop = statement(&k, k.func->body, (KStmt){.kind = KSTMT_FOR, .var = k.i, .step = 1, .body = body,
                                                 .index = index_const(k.program->pool, 0),
                                                 .high = index_const(k.program->pool, 4)});
    const Index *at = index_times(k.program->pool, k.i->index, 4);
    k.loaded = kvalue_load(k.func, (KValue){.type = {DT_F32, 4}, .buffer = k.x, .index = at});
    k.v = kvar_new(k.func, body, "v", (KType){DT_F32, 4}, false);
    k.let = statement(&k, body, (KStmt){.kind = KSTMT_LET, .var = k.v, .value = k.loaded});
    KValue *v = kvalue_var(k.func, k.v);
    k.sum = kvalue_scalar(k.func, SCALAR_ADD, 2, (KValue *[]){v, v}, NULL);
    k.store = statement(&k, body, (KStmt){.kind = KSTMT_STORE, .buffer = k.out, .index = at, .value = k.sum});
    return k;
}

static void check_kernel(const void *program) {
    kernel_check(program, "test");
}

static void finds(Kernel *k, const char *words) {
    const char *said = complaint(k->arena, check_kernel, k->program);
    if (words ? !strstr(said, words) : *said) fail_msg("expected '%s', got: %s", words ? words : "nothing", said);
    arena_free(k->arena);
}

static void right_kernels_pass(void **state) {
    (void)state;
    Kernel k = kernel();
    finds(&k, NULL);
}

static void accesses_lie_inside(void **state) {
    (void)state;
    Kernel k = kernel();
    k.loaded->index = index_plus(k.program->pool, k.loaded->index, 1);
    finds(&k, "an access behind the end of 'x'");
    k = kernel();
    k.store->index = index_plus(k.program->pool, k.store->index, -1);
    finds(&k, "an access before the beginning of 'out'");
    k = kernel();
    k.loaded->access = KACCESS_STRIDED;
    k.loaded->stride = 2;
    finds(&k, "an access behind the end of 'x'");
    k = kernel();
    k.loaded->count = 5;
    finds(&k, "more lanes than there are");
}

static void types_agree(void **state) {
    (void)state;
    Kernel k = kernel();
    k.out->dtype = DT_S32;
    finds(&k, "the type of a store to 'out'");
    k = kernel();
    k.v->type.lanes = 8;
    finds(&k, "a value of another type for 'v'");
    k = kernel();
    k.sum->op = SCALAR_AND;
    finds(&k, "f32 'and'");
    k = kernel();
    k.sum->args[1] = kvalue_float(k.func, DT_F32, 1);
    finds(&k, "operands of unequal lanes of 'add'");
    k = kernel();
    k.store->value = kvalue_shift(k.func, KVALUE_DOWN, k.sum, 4, NULL);
    finds(&k, "a shift downwards");
    k = kernel();
    k.loaded->type.dtype = DT_BF16;
    finds(&k, "a value of a storage type: 'bf16'");
}

static void uses_stand_in_scope(void **state) {
    (void)state;
    Kernel k = kernel();
    vec_push(k.arena, &k.func->body->stmts, k.store);
    finds(&k, "outside the scope of 'v'");
    k = kernel();
    k.store->value = kvalue_float(k.func, DT_F32, 1);
    vec_push(k.arena, &k.func->body->stmts, k.store);
    finds(&k, "a subscript outside the scope of 'i'");
    k = kernel();
    k.loop->body->stmts.at[0] = k.store;
    finds(&k, "a use outside the scope of 'v'");
    k = kernel();
    k.out->written = false;
    finds(&k, "a store to what is only read: 'out'");
    k = kernel();
    statement(&k, k.func->body, (KStmt){.kind = KSTMT_CALL, .func = k.func});
    finds(&k, "a call of what comes later");
    k = kernel();
    statement(&k, k.func->body, (KStmt){.kind = KSTMT_BREAK_UNLESS, .value = kvalue_int(k.func, DT_PRED, 1)});
    finds(&k, "an end of a loop outside of any");
}

/* --- plans -------------------------------------------------------------------------------------------------------- */

static const char softmax_and_sort[] =
    "HloModule m\n"
    "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }\n"
    "less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT l = pred[] compare(a, b), direction=LT }\n"
    "ENTRY main {\n"
    "  x = f32[256,512] parameter(0)\n"
    "  zero = f32[] constant(0)\n"
    "  e = f32[256,512] exponential(x)\n"
    "  sum = f32[256] reduce(e, zero), dimensions={1}, to_apply=add\n"
    "  sums = f32[256,512] broadcast(sum), dimensions={0}\n"
    "  p = f32[256,512] divide(e, sums)\n"
    "  s = f32[256,512] sort(p), dimensions={1}, to_apply=less\n"
    "  ROOT n = f32[256,512] negate(s)\n"
    "}\n";

typedef struct {
    Arena *arena;
    TilePlan *plan;
    TileGroup *softmax;
} Planned;

static Planned planned(void) {
    Planned p = {.arena = arena_new()};
    Source *source = source_from_bytes(p.arena, "test.hlo", softmax_and_sort, sizeof softmax_and_sort - 1);
    Module *module = parse_module(p.arena, diags_new(p.arena, source), (ParseOptions){0});
    assert_non_null(module);
    IndexPool *pool = index_pool_new(p.arena);
    FuseContext context = {p.arena, pool, access_table_new(pool), 48 << 10, 1 << 20, true};
    p.plan = fuse_computation(&context, module->entry);
    assert_int_equal(p.plan->steps.n, 3);
    p.softmax = p.plan->steps.at[0].group;
    assert_int_equal(p.softmax->nests.n, 3);
    assert_int_equal(p.softmax->outer.n, 1);
    return p;
}

static void check_plan(const void *plan) {
    tile_check(plan);
}

static void plan_finds(Planned *p, const char *words) {
    const char *said = complaint(p->arena, check_plan, p->plan);
    if (words ? !strstr(said, words) : *said) fail_msg("expected '%s', got: %s", words ? words : "nothing", said);
    arena_free(p->arena);
}

static void swap_steps(TilePlan *plan, int a, int b) {
    TileStep step = plan->steps.at[a];
    plan->steps.at[a] = plan->steps.at[b];
    plan->steps.at[b] = step;
}

static void steps_stand_in_order(void **state) {
    (void)state;
    Planned p = planned();
    plan_finds(&p, NULL);
    p = planned();
    swap_steps(p.plan, 0, 1);
    plan_finds(&p, "it reads what is not computed before");
    p = planned();
    vec_push(p.arena, &p.plan->steps, p.plan->steps.at[1]);
    plan_finds(&p, "two steps compute it");
    p = planned();
    p.plan->steps.n--;
    plan_finds(&p, "no step computes it");
}

static void tiles_are_computed_once_and_before(void **state) {
    (void)state;
    Planned p = planned();
    TileNest *first = p.softmax->nests.at[0];
    p.softmax->nests.at[0] = p.softmax->nests.at[2];
    p.softmax->nests.at[2] = first;
    plan_finds(&p, "its tile is read before it is computed");
    p = planned();
    first = p.softmax->nests.at[0];
    for (int i = 0; i < first->n_vars; i++) first->origin[i] = index_const(p.softmax->domain->pool, 0);
    plan_finds(&p, "every tile of an outer loop computes it again");
    p = planned();
    p.softmax->nests.at[1]->extent[0] = 1000;
    plan_finds(&p, "a tile that is no part of it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_kernels_pass),   cmocka_unit_test(accesses_lie_inside),
        cmocka_unit_test(types_agree),          cmocka_unit_test(uses_stand_in_scope),
        cmocka_unit_test(steps_stand_in_order), cmocka_unit_test(tiles_are_computed_once_and_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
