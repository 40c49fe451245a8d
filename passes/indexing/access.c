#include "passes/indexing/access.h"

#include <string.h>

/* Rules that say nothing: no operands, or nothing known. Fusions are inlined, all-gather reads other devices. */
static bool access_none(AccessBuilder *b) {
    (void)b;
    return false;
}
#define access_opaque access_none
#define access_fusion access_none
#define access_all_gather access_none

typedef bool AccessRule(AccessBuilder *b);
static AccessRule *const rules[N_OPS] = {
#define OP(id, text, operands, shape, access, ...) [OP_##id] = access_##access,
#include "ir/ops.def"
#undef OP
};

bool access_is_elementwise(Op op) {
    return rules[op] == access_elementwise;
}

AccessTable *access_table_new(IndexPool *pool) {
    AccessTable *table = NEW(pool->arena, AccessTable);
    table->pool = pool;
    return table;
}

const Index *access_dim(const AccessBuilder *b, int k) {
    return index_dim(b->pool, k);
}

const Index *access_range(AccessBuilder *b, int64_t size) {
    return index_domain_sym(b->domain, (Interval){0, size - 1});
}

const Index *access_runtime(AccessBuilder *b, int operand, int n_index, const Index *const *index, Interval range) {
    if (range.low == 0 && range.high == 0 && !b->keeps_points) return index_const(b->pool, 0);
    const Index **copy = NEW_ARRAY(b->pool->arena, const Index *, n_index);
    for (int i = 0; i < n_index; i++) copy[i] = index[i];
    vec_push(b->pool->arena, &b->rts, (RuntimeVar){operand, n_index, copy, range, true});
    return index_domain_sym(b->domain, range);
}

void access_reads(AccessBuilder *b, int operand, const Index *const *index) {
    OperandAccess *access = &b->operands[operand];
    int rank = b->instr->operands[operand]->shape->rank;
    const Index **copy = NEW_ARRAY(b->pool->arena, const Index *, rank);
    for (int i = 0; i < rank; i++) copy[i] = index[i];
    access->reads = true;
    access->n_index = rank;
    access->index = copy;
}

void access_guard(AccessBuilder *b, int operand, const Index *expr, int64_t low, int64_t high) {
    OperandAccess *access = &b->operands[operand];
    Guard *guards = NEW_ARRAY(b->pool->arena, Guard, access->n_guards + 1);
    if (access->n_guards) memcpy(guards, access->guards, (size_t)access->n_guards * sizeof *guards);
    guards[access->n_guards++] = (Guard){expr, {low, high}};
    access->guards = guards;
}

static const Access unknown;

const Access *access_of(AccessTable *table, const Instr *instr) {
    const Access *known = key_table_get(&table->known, POINTER_KEY(instr));
    if (known) return known == &unknown ? NULL : known;
    Arena *arena = table->pool->arena;
    AccessBuilder b = {.pool = table->pool, .instr = instr, .domain = index_domain_new(table->pool),
                       .keeps_points = table->keeps_points};
    b.operands = NEW_ARRAY(arena, OperandAccess, instr->n_operands);
    const Shape *shape = shape_is_tuple(instr->shape) && instr->shape->n_elements ? instr->shape->elements[0]
                                                                                  : instr->shape;
    b.n_dims = shape->rank;
    for (int i = 0; i < shape->rank; i++) index_domain_dim(b.domain, (Interval){0, shape->dims[i] - 1});
    Access *access = (Access *)&unknown;
    if (rules[instr->op](&b)) {
        access = NEW(arena, Access);
        *access = (Access){b.n_dims, b.domain->syms.n - b.rts.n, b.rts.n, b.domain, b.rts.at, instr->n_operands,
                           b.operands};
    }
    key_table_put(arena, &table->known, POINTER_KEY(instr), access);
    return access == &unknown ? NULL : access;
}
