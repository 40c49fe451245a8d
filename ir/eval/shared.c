/* Collectives on several devices: every member of a group takes its own result from what all members brought. */
#include <string.h>

#include "ir/eval/collective.h"
#include "ir/eval/program.h"

/* ---- who takes part ---------------------------------------------------------------------------------------------- */

typedef struct {
    int n, me;
    int64_t *devices; /* in rank order */
} Members;

/* op-semantics.md 2.1, the four modes. */
typedef struct {
    bool channel, global, knows_global;
    int64_t replicas, partitions, replica, partition;
} Place;

static Place place_of(const Eval *eval, const Instr *instr) {
    const ModuleAttrs *attrs = &instr->parent->module->attrs;
    return (Place){instr_attr(instr, ATTR_CHANNEL_ID) != NULL,
                   instr_bool(instr, ATTR_USE_GLOBAL_DEVICE_IDS, false),
                   op_takes_attr(instr->op, ATTR_USE_GLOBAL_DEVICE_IDS),
                   attrs->replica_count,
                   attrs->num_partitions,
                   eval->device / attrs->num_partitions,
                   eval->device % attrs->num_partitions};
}

/* The number by which groups name this device. */
static int64_t own_id(const Place *p) {
    if (p->channel && !p->knows_global) return p->partition;
    if (p->channel && p->global) return p->replica * p->partitions + p->partition;
    return p->replica;
}

static int64_t n_ids(const Place *p) {
    if (p->channel && !p->knows_global) return p->partitions;
    return p->channel && p->global ? p->replicas * p->partitions : p->replicas;
}

static void add_members(const Place *p, Members *members, int64_t id) {
    if (p->channel && !p->knows_global) members->devices[members->n++] = p->replica * p->partitions + id;
    else if (p->channel && p->global) members->devices[members->n++] = id;
    else if (!p->channel) members->devices[members->n++] = id * p->partitions + p->partition;
    else
        for (int64_t q = 0; q < p->partitions; q++) members->devices[members->n++] = id * p->partitions + q;
}

/* False: this device is in no group. */
static bool find_members(const Eval *eval, Arena *arena, const Instr *instr, Members *members) {
    Place place = place_of(eval, instr);
    const Attr *attr = instr_attr(instr, ATTR_REPLICA_GROUPS);
    bool listed = false;
    *members = (Members){0};
    members->devices = NEW_ARRAY(arena, int64_t, place.replicas * place.partitions + 1);
    for (int g = 0; attr && g < attr->groups->n; g++) {
        IntList group = attr->groups->groups[g];
        bool mine = false;
        listed |= group.n > 0;
        for (int i = 0; i < group.n; i++) mine |= group.at[i] == own_id(&place);
        for (int i = 0; i < group.n && mine; i++) add_members(&place, members, group.at[i]);
    }
    for (int64_t id = 0; id < n_ids(&place) && !listed; id++) add_members(&place, members, id);
    for (int i = 0; i < members->n; i++)
        if (members->devices[i] == eval->device) members->me = i;
    return members->n > 0;
}

bool device_pair(const Eval *eval, const Instr *instr, const Attr *pairs, int side, int64_t *other) {
    Place place = place_of(eval, instr);
    int64_t mine = place.channel ? place.partition : place.replica;
    for (int k = 0; pairs && k < pairs->n_lists; k++) {
        IntList pair = pairs->lists[k];
        if (pair.n != 2 || pair.at[side] != mine) continue;
        *other = place.channel ? place.replica * place.partitions + pair.at[!side]
                               : pair.at[!side] * place.partitions + place.partition;
        return true;
    }
    return false;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* An operation as seen by one member. */
typedef struct {
    Eval *eval;
    const Instr *instr;
    const Meeting *meeting;
    int me;
} Share;

static Value *operand(const Share *s, int member, int k) {
    return s->meeting->values[member][k];
}

/* Arrays cut along the dim: outer pieces, each of so many bytes. */
typedef struct {
    int64_t outer;
    size_t bytes;
} Pieces;

static Pieces pieces_of(const Shape *part, int64_t dim) {
    Pieces pieces = {1, (size_t)dtype_bytes(part->dtype)};
    for (int64_t d = 0; d < part->rank; d++) {
        if (d < dim) pieces.outer *= part->dims[d];
        else pieces.bytes *= (size_t)part->dims[d];
    }
    return pieces;
}

static void copy_pieces(Pieces pieces, Value *to, int to_n, int to_k, const Value *from, int from_n, int from_k) {
    for (int64_t o = 0; o < pieces.outer && pieces.bytes; o++)
        memcpy((char *)to->data + (size_t)(o * to_n + to_k) * pieces.bytes,
               (const char *)from->data + (size_t)(o * from_n + from_k) * pieces.bytes, pieces.bytes);
}

static void convert(DType to, void *result, DType from, const void *elements, int64_t n) {
    MapPlan plan;
    if (to == from) memcpy(result, elements, (size_t)n * (size_t)dtype_bytes(to));
    else if (map_plan_convert(&plan, from, to)) map_run(&plan, result, &elements, n);
}

/* All members' operand k, combined in the order of their ranks. */
static Value *combined(const Share *s, int k) {
    Program *program = program_of(s->eval, instr_computation(s->instr, ATTR_TO_APPLY));
    const Shape *shape = operand(s, 0, k)->shape;
    DType dtype = program_parameter_dtype(program, 0);
    int64_t n = shape_elements(shape);
    size_t bytes = (size_t)(n + 1) * (size_t)dtype_bytes(dtype);
    void *sum = base_malloc(bytes), *next = base_malloc(bytes);
    Value *result = value_new(shape);
    bool good = true;
    convert(dtype, sum, shape->dtype, operand(s, 0, k)->data, n);
    for (int i = 1; i < s->meeting->n && good && n; i++) {
        convert(dtype, next, shape->dtype, operand(s, i, k)->data, n);
        good = program_run(s->eval, program, (const void *const[]){sum, next}, &sum, n);
    }
    convert(shape->dtype, result->data, dtype, sum, n);
    base_free(sum);
    base_free(next);
    if (good) return result;
    value_release(result);
    return NULL;
}

static int64_t the_dim(const Share *s) {
    return instr_ints(s->instr, ATTR_DIMENSIONS).at[0];
}

static Value *take_all_reduce(const Share *s, int k, const Shape *shape) {
    (void)shape;
    return combined(s, k);
}

static Value *take_reduce_scatter(const Share *s, int k, const Shape *shape) {
    Value *whole = combined(s, k);
    if (!whole) return NULL;
    Value *result = value_new(shape);
    copy_pieces(pieces_of(shape, the_dim(s)), result, 1, 0, whole, s->meeting->n, s->me);
    value_release(whole);
    return result;
}

static Value *take_all_gather(const Share *s, int k, const Shape *shape) {
    Value *result = value_new(shape);
    Pieces pieces = pieces_of(operand(s, 0, k)->shape, the_dim(s));
    for (int i = 0; i < s->meeting->n; i++) copy_pieces(pieces, result, s->meeting->n, i, operand(s, i, k), 1, 0);
    return result;
}

static Value *take_all_to_all(const Share *s, int k, const Shape *shape) {
    if (!instr_attr(s->instr, ATTR_DIMENSIONS)) return value_retain(operand(s, k, s->me));
    Value *result = value_new(shape);
    Pieces pieces = pieces_of(shape, the_dim(s));
    pieces.bytes /= (size_t)s->meeting->n;
    for (int i = 0; i < s->meeting->n; i++)
        copy_pieces(pieces, result, s->meeting->n, i, operand(s, i, k), s->meeting->n, s->me);
    return result;
}

/* The member that sends, or that gets the sum; -1 reported. */
static int root_of(const Share *s, int k) {
    if (!instr_bool(s->instr, ATTR_HAS_DYNAMIC_ROOT, false)) return 0;
    int64_t root = value_index(operand(s, s->me, s->instr->n_operands - 1), k);
    if (root >= 0 && root < s->meeting->n) return (int)root;
    eval_error(s->eval, s->instr, "root %lld is not one of the %d members", (long long)root, s->meeting->n);
    return -1;
}

static Value *take_broadcast(const Share *s, int k, const Shape *shape) {
    (void)shape;
    int root = root_of(s, k);
    return root < 0 ? NULL : value_retain(operand(s, root, k));
}

static Value *take_reduce(const Share *s, int k, const Shape *shape) {
    int root = root_of(s, k);
    if (root < 0) return NULL;
    return root == s->me ? combined(s, k) : value_zeros(shape);
}

/* Rows that member i sends to me. */
static bool take_rows(const Share *s, int i, Value *result) {
    const Value *input = operand(s, i, 0), *at = operand(s, i, 2);
    int64_t updates = value_elements(at) / s->meeting->n, n_in = input->shape->dims[0], n_out = result->shape->dims[0];
    size_t row = n_in ? (size_t)(shape_bytes(input->shape) / n_in) : 0;
    for (int64_t j = s->me * updates; j < (s->me + 1) * updates; j++) {
        int64_t from = value_index(at, j), n = value_index(operand(s, i, 3), j), to = value_index(operand(s, i, 4), j);
        if (n <= 0) continue;
        if (from < 0 || to < 0 || from > n_in - n || to > n_out - n) {
            eval_error(s->eval, s->instr, "rows %lld to %lld of 'ragged-all-to-all' lie outside its arrays",
                       (long long)from,
                       (long long)(from + n - 1));
            return false;
        }
        memcpy((char *)result->data + (size_t)to * row, (const char *)input->data + (size_t)from * row,
               (size_t)n * row);
    }
    return true;
}

static Value *take_ragged(const Share *s, int k, const Shape *shape) {
    (void)k;
    Value *result = value_copy(shape, operand(s, s->me, 1));
    for (int i = 0; i < s->meeting->n; i++) {
        if (take_rows(s, i, result)) continue;
        value_release(result);
        return NULL;
    }
    return result;
}

typedef Value *Take(const Share *s, int k, const Shape *shape);

static Take *rule_of(Op op) {
    static const struct {
        Op op;
        Take *take;
    } rules[] = {
        {OP_ALL_REDUCE, take_all_reduce},         {OP_ALL_REDUCE_START, take_all_reduce},
        {OP_REDUCE_SCATTER, take_reduce_scatter}, {OP_ALL_GATHER, take_all_gather},
        {OP_ALL_GATHER_START, take_all_gather},   {OP_ALL_TO_ALL, take_all_to_all},
        {OP_RAGGED_ALL_TO_ALL, take_ragged},      {OP_COLLECTIVE_BROADCAST, take_broadcast},
        {OP_COLLECTIVE_REDUCE, take_reduce},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].op == op) return rules[i].take;
    internal_error(op_name(op), "is no collective of a group");
}

static Value *take_all(const Share *s, const Shape *shape) {
    Take *take = rule_of(s->instr->op);
    if (!shape_is_tuple(shape)) return take(s, 0, shape);
    Value *tuple = value_new(shape);
    for (int k = 0; k < shape->n_elements; k++) {
        if ((tuple->elements[k] = take(s, k, shape->elements[k]))) continue;
        for (int i = k; i < shape->n_elements; i++) tuple->elements[i] = value_zeros(shape->elements[i]);
        value_release(tuple);
        return NULL;
    }
    return tuple;
}

Value *shared_result(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    Arena *scratch = arena_new();
    Members members;
    Value *result = NULL;
    if (!find_members(eval, scratch, instr, &members)) {
        arena_free(scratch);
        return value_zeros(shape);
    }
    Meeting *meeting = team_meet(eval, instr, members.n, members.devices, operands);
    if (meeting) {
        result = take_all(&(Share){eval, instr, meeting, members.me}, shape);
        team_leave(eval, meeting);
    }
    arena_free(scratch);
    return result;
}

/* ---- one to one -------------------------------------------------------------------------------------------------- */

static int64_t channel_of(const Instr *instr, int k) {
    return (int64_t)(hash_mix(POINTER_KEY(instr), (uint64_t)k) >> 1);
}

Value *permuted_result(Eval *eval, const Instr *instr, const Shape *shape, Value **operands) {
    const Attr *pairs = instr_attr(instr, ATTR_SOURCE_TARGET_PAIRS);
    int64_t to, from;
    bool is_tuple = shape_is_tuple(shape);
    if (device_pair(eval, instr, pairs, 0, &to))
        for (int k = 0; k < instr->n_operands; k++) team_send(eval, to, channel_of(instr, k), operands[k]);
    if (!device_pair(eval, instr, pairs, 1, &from)) return value_zeros(shape);
    if (!is_tuple) return team_receive(eval, instr, from, channel_of(instr, 0));
    Value *tuple = value_zeros(shape);
    for (int k = 0; k < instr->n_operands; k++) {
        Value *part = team_receive(eval, instr, from, channel_of(instr, k));
        if (!part) {
            value_release(tuple);
            return NULL;
        }
        value_release(tuple->elements[k]);
        tuple->elements[k] = part;
    }
    return tuple;
}
