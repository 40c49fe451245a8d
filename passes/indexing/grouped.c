#include "passes/indexing/maps.h"

/* Composed maps over many instructions: from one to all that it needs (indexing.md 3.3), and forward to a root (3.4).
 */

/* Where an instruction has more maps, or an index more operators, what is behind it is not followed any more: such maps
 * tell nobody anything (reshapes whose dims do not divide each other nest without end), but take all time. */
enum { MAX_MAPS = 1000, MAX_OPERATORS = 4000 };

/* Uses before definitions; the operands of an instruction in their order as far as that allows. */
typedef struct {
    Instr *instr;
    int next; /* the operand to visit next, from the last to the first */
} Visit;
typedef VEC(Instr *) InstrList;

static InstrList uses_first(Arena *arena, Instr *start) {
    VEC(Visit) stack = {0};
    KeyTable seen = {0};
    InstrList done = {0};
    vec_push(arena, &stack, (Visit){start, start->n_operands});
    key_table_put(arena, &seen, POINTER_KEY(start), start);
    while (stack.n) {
        Visit *top = &stack.at[stack.n - 1];
        if (!top->next) {
            vec_push(arena, &done, top->instr);
            stack.n--;
            continue;
        }
        Instr *operand = top->instr->operands[--top->next];
        if (key_table_get(&seen, POINTER_KEY(operand))) continue;
        key_table_put(arena, &seen, POINTER_KEY(operand), operand);
        vec_push(arena, &stack, (Visit){operand, operand->n_operands});
    }
    for (int i = 0, k = done.n - 1; i < k; i++, k--) {
        Instr *other = done.at[i];
        done.at[i] = done.at[k];
        done.at[k] = other;
    }
    return done;
}

static bool is_too_large(const IndexMap *map) {
    int64_t size = 0;
    if (!map) return false;
    for (int i = 0; i < map->n_results; i++) size += map->results[i]->size;
    for (int i = 0; i < map->constraints.n; i++) size += map->constraints.at[i].expr->size;
    return size > MAX_OPERATORS;
}

/* inside: NULL, or the map that keeps an index inside the operand. */
static void add_composed(Maps *maps, MapSet *to, const MapSet *consumer, const MapSet *producer,
                         const OperandMap *inside) {
    for (int i = 0; i < producer->list.n && !to->unknown; i++) {
        for (int k = 0; k < consumer->list.n && !to->unknown; k++) {
            OperandMap whole = {0};
            if (!producer->unknown && !consumer->unknown && to->list.n < MAX_MAPS) {
                whole = operand_map_compose(maps, &consumer->list.at[k], &producer->list.at[i]);
                if (inside) whole = operand_map_compose(maps, &whole, inside);
                operand_map_simplify(maps, &whole);
                if (is_too_large(whole.map)) whole = (OperandMap){0};
            }
            map_set_add(maps, to, whole);
        }
    }
}

static MapSet identity_of(Maps *maps, const Shape *shape) {
    if (!shape_is_array(shape)) return map_set_unknown(maps);
    return map_set_of(maps, (OperandMap){.map = index_map_identity(maps->pool, shape->rank, shape->dims)});
}

GroupedList maps_grouped_inside(Maps *maps, Instr *start) {
    GroupedList list = {0};
    KeyTable places = {0}; /* instr -> its place in the list + 1 */
    InstrList order = uses_first(maps->arena, start);
    for (int i = 0; i < order.n; i++) {
        vec_push(maps->arena, &list, (GroupedMaps){order.at[i], {.list = {0}}});
        key_table_put(maps->arena, &places, POINTER_KEY(order.at[i]), (void *)(uintptr_t)(i + 1));
    }
    list.at[0].set = identity_of(maps, maps_output(start, 0));
    for (int i = 0; i < list.n; i++) {
        Instr *instr = list.at[i].instr;
        MapSet consumer = list.at[i].set;
        if (!consumer.list.n) continue; /* of an element of a tuple that start does not give */
        bool first_of_tuple = i == 0 && instr->op == OP_TUPLE;
        for (int k = 0; k < (first_of_tuple ? 1 : instr->n_operands); k++) {
            int at = (int)(uintptr_t)key_table_get(&places, POINTER_KEY(instr->operands[k])) - 1;
            MapSet producer = first_of_tuple ? identity_of(maps, instr->operands[0]->shape)
                                             : maps_out_to_in(maps, instr, 0, k);
            /* the map of an update goes beyond it; that of all others stays inside by itself */
            bool beyond = instr->op == OP_DYNAMIC_UPDATE_SLICE && k == 1;
            MapSet inside = beyond ? identity_of(maps, instr->operands[k]->shape) : (MapSet){.list = {0}};
            add_composed(maps, &list.at[at].set, &consumer, &producer, beyond ? inside.list.at : NULL);
        }
    }
    return list;
}

GroupedList maps_grouped(Maps *maps, Instr *start) {
    if (start->op == OP_FUSION) start = instr_computation(start, ATTR_CALLS)->root;
    GroupedList all = maps_grouped_inside(maps, start), needed = {0};
    for (int i = 0; i < all.n; i++)
        if (all.at[i].set.list.n) vec_push(maps->arena, &needed, all.at[i]);
    return needed;
}

/* The user over which the root of the computation is reached, for every instruction that reaches it: backwards from the
 * root. */
static KeyTable next_to_root(Arena *arena, Instr *root) {
    InstrList order = uses_first(arena, root);
    KeyTable next = {0};
    for (int i = 0; i < order.n; i++) {
        Instr *instr = order.at[i];
        for (int k = 0; k < instr->n_operands; k++)
            if (!key_table_get(&next, POINTER_KEY(instr->operands[k])))
                key_table_put(arena, &next, POINTER_KEY(instr->operands[k]), instr);
    }
    return next;
}

static int operand_number(const Instr *user, const Instr *operand) {
    int k = 0;
    while (user->operands[k] != operand) k++;
    return k;
}

MapSet maps_epilogue(Maps *maps, Instr *instr) {
    Instr *root = instr->parent->root;
    KeyTable next = next_to_root(maps->arena, root);
    MapSet set = identity_of(maps, maps_output(instr, 0));
    for (Instr *user; instr != root; instr = user) {
        user = key_table_get(&next, POINTER_KEY(instr));
        if (!user) return (MapSet){.list = {0}};
        int k = operand_number(user, instr);
        MapSet step = maps_in_to_out(maps, user, k, user->op == OP_TUPLE ? k : 0), whole = {.list = {0}};
        add_composed(maps, &whole, &set, &step, NULL);
        set = whole;
    }
    return set;
}
