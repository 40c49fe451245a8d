#include "passes/indexing/maps.h"

/* Element of an operand -> elements of an output: access relations solved for the output dims. */

typedef struct {
    Maps *maps;
    const Access *access;
    const OperandAccess *operand;
    const Shape *from, *to; /* operand, output */
    IndexMap *map;          /* its dims are the operand's */
    const Index *
        *solved; /* variable of the relation (dims, then symbols) as an expression in map's dims; NULL: any value */
    IndexConstraint *constraints;
    int n_constraints;
} Inversion;

static const Index *relation_variable(const Inversion *v, int i) {
    return i < v->access->n_dims ? index_dim(v->maps->pool, i) : index_sym(v->maps->pool, i - v->access->n_dims);
}

static Interval relation_range(const Inversion *v, int i) {
    return i < v->access->n_dims ? v->access->domain->dims.at[i] : v->access->domain->syms.at[i - v->access->n_dims];
}

/* Operand dim k is factor * variable + constant, for one variable of the relation that no other dim gave: then it gives
 * the variable. False: the dim is made of something else. */
static bool solve_dim(Inversion *v, int k) {
    IndexPool *pool = v->maps->pool;
    int n_vars = v->access->n_dims + v->access->n_ranges;
    for (int i = 0; i < n_vars; i++) {
        const Index *variable = relation_variable(v, i), *rest;
        int64_t factor;
        if (!index_linear_in(pool, v->operand->index[k], variable, &factor, &rest) || !factor ||
            rest->kind != INDEX_CONST)
            continue;
        if (v->solved[i]) return false;
        int64_t step = factor < 0 ? -factor : factor;
        const Index *d = index_dim(pool, k);
        const Index *from_start = factor > 0 ? index_plus(pool, d, -rest->value)
                                             : index_plus(pool, index_times(pool, d, -1), rest->value);
        Interval values = relation_range(v, i), scale = {factor, factor}, offset = {rest->value, rest->value};
        v->solved[i] = index_over(pool, from_start, step);
        if (step > 1)
            v->constraints[v->n_constraints++] = (IndexConstraint){index_modulo(pool, from_start, step), {0, 0}};
        v->map->vars[k].bounds = interval_intersect(v->map->vars[k].bounds,
                                                    interval_add(interval_mul(values, scale), offset));
        return true;
    }
    return false;
}

/* Output dims that the operand does not tell take every value: ranges. */
static void add_ranges(Inversion *v) {
    for (int i = 0; i < v->to->rank; i++) {
        if (v->solved[i]) continue;
        v->map->vars[v->from->rank + v->map->n_ranges].bounds = relation_range(v, i);
        v->solved[i] = index_sym(v->maps->pool, v->map->n_ranges++);
    }
}

static IndexMap *invert(Maps *maps, const Access *access, const OperandAccess *operand, const Shape *from,
                        const Shape *to) {
    Inversion v = {.maps = maps, .access = access, .operand = operand, .from = from, .to = to};
    int n_vars = access->n_dims + access->n_ranges + access->n_rts;
    v.map = index_map_new(maps->pool, from->rank, to->rank, 0, to->rank); /* room for as many ranges as may come */
    v.map->n_ranges = 0;
    v.solved = NEW_ARRAY(maps->arena, const Index *, n_vars);
    v.constraints = NEW_ARRAY(maps->arena, IndexConstraint, from->rank);
    for (int k = 0; k < from->rank; k++) v.map->vars[k].bounds = (Interval){0, from->dims[k] - 1};
    for (int k = 0; k < from->rank; k++)
        if (!solve_dim(&v, k)) return NULL;
    add_ranges(&v);
    for (int i = 0; i < to->rank; i++) v.map->results[i] = v.solved[i];
    index_map_close(v.map);
    for (int i = 0; i < v.n_constraints; i++) index_map_constrain(v.map, v.constraints[i].expr, v.constraints[i].in);
    for (int i = 0; i < operand->n_guards; i++) {
        const Index *guard = index_substitute(maps->pool, operand->guards[i].expr, access->n_dims, v.solved,
                                              access->n_ranges, v.solved + access->n_dims);
        bool always = interval_includes(operand->guards[i].in, index_range(index_map_domain(v.map, false), guard));
        if (!always) index_map_constrain(v.map, guard, operand->guards[i].in);
    }
    return v.map;
}

/* What keeps the elements in their order is its own inverse with the shapes exchanged. */
static IndexMap *exchanged(Maps *maps, const Instr *instr) {
    const Shape *from = instr->operands[0]->shape, *to = instr->shape;
    IndexMap *map = index_map_identity(maps->pool, from->rank, from->dims);
    const Index **index = NEW_ARRAY(maps->arena, const Index *, from->rank);
    for (int i = 0; i < from->rank; i++) index[i] = index_dim(maps->pool, i);
    map->n_results = to->rank;
    map->results = NEW_ARRAY(maps->arena, const Index *, to->rank);
    if (instr->op == OP_BITCAST && shape_elements(from) != shape_elements(to)) return NULL;
    if (instr->op == OP_RESHAPE)
        index_reshape(maps->pool, from->rank, from->dims, index, to->rank, to->dims, map->results);
    else
        index_bitcast(maps->pool, from, index, to, map->results);
    index_map_close(map);
    index_map_simplify(map, true);
    return map;
}

/* Opcodes whose inverse is printed (indexing.md 2); of the others it is unknown. */
static const bool is_inverted[N_OPS] = {
    [OP_BROADCAST] = true, [OP_CONCATENATE] = true, [OP_TRANSPOSE] = true, [OP_REVERSE] = true,
    [OP_SLICE] = true,     [OP_DOT] = true,         [OP_REDUCE] = true,    [OP_BITCAST_CONVERT] = true,
};

MapSet maps_in_to_out(Maps *maps, Instr *instr, int operand, int output) {
    const Shape *from = instr->operands[operand]->shape, *to = maps_output(instr, output);
    if (!shape_is_array(from) || !shape_is_array(to)) return map_set_unknown(maps);
    if (instr->op == OP_TUPLE && operand != output) return (MapSet){.list = {0}};
    if (instr->op == OP_TUPLE)
        return map_set_of(maps, (OperandMap){.map = index_map_identity(maps->pool, from->rank, from->dims)});
    if (instr->op == OP_RESHAPE || instr->op == OP_BITCAST)
        return map_set_of(maps, (OperandMap){.map = exchanged(maps, instr)});
    if (instr->op == OP_BITCAST_CONVERT && from->rank != to->rank) return map_set_unknown(maps);
    const Access *access =
        is_inverted[instr->op] || access_is_elementwise(instr->op) ? access_of(maps->access, instr) : NULL;
    if (!access || access->n_dims != to->rank) return map_set_unknown(maps);
    return map_set_of(maps, (OperandMap){.map = invert(maps, access, &access->operands[operand], from, to)});
}
