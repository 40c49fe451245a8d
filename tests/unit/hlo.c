/* ir/hlo.h: building and changing programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ir/hlo.h"
#include "parser/parser.h"

static const Span nowhere = {0, 0};

typedef struct {
    Arena *arena;
    Module *module;
    Computation *computation;
    const Shape *scalar;
} Fixture;

static Fixture make(void) {
    Fixture f = {.arena = arena_new()};
    f.module = module_new(f.arena, "m");
    f.computation = f.module->entry = computation_new(f.module, "main");
    f.scalar = shape_scalar(f.arena, DT_F32);
    return f;
}

static Instr *add(Fixture *f, Op op, const char *name, int n, Instr *a, Instr *b) {
    Instr *operands[] = {a, b};
    return f->computation->root = instr_new(f->computation, op, name, f->scalar, n, operands, nowhere);
}

static Instr *add_parameter(Fixture *f) {
    Instr *parameter = add(f, OP_PARAMETER, "p", 0, NULL, NULL);
    f->computation->n_parameters = 1;
    f->computation->parameters = NEW_ARRAY(f->arena, Instr *, 1);
    f->computation->parameters[0] = parameter;
    return parameter;
}

static void names_are_made_unique(void **state) {
    (void)state;
    Fixture f = make();
    Instr *p = add_parameter(&f);
    assert_string_equal(add(&f, OP_NEGATE, "p", 1, p, NULL)->name, "p.1");
    assert_string_equal(add(&f, OP_NEGATE, "p.1", 1, p, NULL)->name, "p.2");
    assert_string_equal(add(&f, OP_NEGATE, "q.1", 1, p, NULL)->name, "q.1");
    assert_string_equal(computation_new(f.module, "main")->name, "main.1");
    arena_free(f.arena);
}

static void users_follow_operands(void **state) {
    (void)state;
    Fixture f = make();
    Instr *p = add_parameter(&f), *n = add(&f, OP_NEGATE, "n", 1, p, NULL), *s = add(&f, OP_ADD, "s", 2, n, n);
    assert_int_equal(n->users.n, 2);
    instr_set_operand(s, 0, p);
    assert_int_equal(n->users.n, 1);
    assert_int_equal(p->users.n, 2);
    hlo_check(f.module, "set operand");
    instr_replace_uses(n, p);
    assert_int_equal(n->users.n, 0);
    assert_int_equal(p->users.n, 3); /* n itself, and s twice */
    hlo_check(f.module, "replace uses");
    arena_free(f.arena);
}

static void renumbering_sorts_and_drops(void **state) {
    (void)state;
    Fixture f = make();
    Instr *p = add_parameter(&f), *a = add(&f, OP_NEGATE, "a", 1, p, NULL), *b = add(&f, OP_SINE, "b", 1, p, NULL);
    Instr *c = add(&f, OP_COSINE, "c", 1, b, NULL);
    instr_set_operand(a, 0, c); /* a now stands before its operand */
    f.computation->root = a;
    Instr *unused = instr_new(f.computation, OP_TANH, "unused", f.scalar, 1, &p, nowhere);
    unused->mark = -1;
    p->users.n--;
    computation_renumber(f.computation);
    assert_int_equal(f.computation->instrs.n, 4);
    assert_ptr_equal(f.computation->instrs.at[3], a);
    assert_int_equal(a->position, 3);
    hlo_check(f.module, "renumber");
    arena_free(f.arena);
}

/* A chain as deep as this must not need a stack as deep. */
static void long_chains_are_sorted(void **state) {
    (void)state;
    enum { LENGTH = 300000 };
    Fixture f = make();
    Instr *last = add_parameter(&f);
    for (int i = 0; i < LENGTH; i++) last = add(&f, OP_NEGATE, "v", 1, last, NULL);
    for (int i = 0; i < LENGTH / 2; i++) { /* the list back to front */
        Instr **at = f.computation->instrs.at, *swapped = at[i];
        at[i] = at[LENGTH - i];
        at[LENGTH - i] = swapped;
    }
    computation_renumber(f.computation);
    hlo_check(f.module, "renumber");
    arena_free(f.arena);
}

static Module *parse(Arena *arena, const char *text) {
    Diags *diags = diags_new(arena, source_from_bytes(arena, "text.hlo", text, strlen(text)));
    return parse_module(arena, diags, (ParseOptions){0});
}

static void attributes_have_getters(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Module *module = parse(arena, "ENTRY e {\n"
                                  "  p = f32[4,4] parameter(0), frontend_attributes={key=\"value\"}\n"
                                  "  z = f32[] constant(0)\n"
                                  "  c = pred[4,4] compare(p, p), direction=LT, order=TOTAL\n"
                                  "  ROOT w = f32[2,2] reduce-window(p, z), window={size=2x2 stride=2x2}, to_apply={\n"
                                  "    x = f32[] parameter(0)\n"
                                  "    y = f32[] parameter(1)\n"
                                  "    ROOT s = f32[] add(x, y)\n"
                                  "  }, metadata={op_name=\"pool\"}\n"
                                  "}\n");
    assert_non_null(module);
    const Computation *entry = module->entry;
    const Instr *p = entry->parameters[0], *c = entry->instrs.at[2], *w = entry->root;
    assert_string_equal(instr_frontend(p, "key"), "value");
    assert_null(instr_frontend(p, "other"));
    assert_int_equal(instr_int(c, ATTR_DIRECTION, -1), DIRECTION_LT);
    assert_int_equal(compare_type(c), COMPARE_TOTALORDER);
    assert_int_equal(instr_window(w, 2).dims[1].stride, 2);
    assert_string_equal(instr_op_name(w), "pool");
    assert_int_equal(instr_called(w, NULL, 0), 1);
    assert_ptr_equal(instr_computation(w, ATTR_TO_APPLY), module->computations.at[0]);
    assert_int_equal(instr_ints(w, ATTR_DIMENSIONS).n, 0);
    assert_true(instr_bool(w, ATTR_IS_STABLE, true));
    arena_free(arena);
}

static void several_modules_are_read(void **state) {
    (void)state;
    Arena *arena = arena_new();
    static const char text[] = "HloModule a\nENTRY e { ROOT p = f32[] parameter(0) }\n"
                               "HloModule b\nENTRY e { ROOT p = f32[] parameter(0) }\n"
                               "// -----\n// nothing here\n// -----\nc { ROOT p = f32[] parameter(0) }\n";
    Diags *diags = diags_new(arena, source_from_bytes(arena, "text.hlo", text, strlen(text)));
    Module **modules = parse_modules(arena, diags, (ParseOptions){0});
    assert_non_null(modules);
    assert_string_equal(modules[0]->name, "a");
    assert_string_equal(modules[1]->name, "b");
    assert_string_equal(modules[2]->name, "module_c");
    assert_null(modules[3]);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_made_unique),       cmocka_unit_test(users_follow_operands),
        cmocka_unit_test(renumbering_sorts_and_drops), cmocka_unit_test(long_chains_are_sorted),
        cmocka_unit_test(attributes_have_getters),     cmocka_unit_test(several_modules_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
