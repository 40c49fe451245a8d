#include "passes/fuse/fuse.h"
#include "passes/indexing/measure.h"

/* --report: what was decided for every edge from a producer to what reads it, and why; how memory is accessed. */

static const char *const mode_names[] = {
    [TILE_READ] = "store",  [TILE_INLINE] = "inline", [TILE_HERO] = "keep",
    [TILE_STAGE] = "stage", [TILE_ROOT] = "store",
};

typedef struct {
    Text *out;
    const TilePlan *plan;
    TileGroup *group;
    bool *shown; /* by number of a dim of the group's domain: it stands in an access */
} Report;

static const char *why(const Report *r, const TileMember *member) {
    if (member->why) return member->why;
    if (member->instr->op == OP_PARAMETER) return "a parameter";
    if (member->instr->op == OP_CONSTANT) return "a constant";
    bool tiny = r->plan->storage[member->instr->position] == STORAGE_TINY;
    return tiny ? "a few scalars" : "computed by a step of its own";
}

static double reads_per_element(const TileMember *member) {
    double points = 0;
    for (int i = 0; i < member->uses.n; i++) {
        const TileUse *use = &member->uses.at[i];
        points += use->nest->points * (use->unit ? use->unit->points : 1) * (1 - use->missed);
    }
    return instr_elements(member->instr) ? points / (double)instr_elements(member->instr) : 0;
}

/* The share of its elements that the group reads: of several accesses the largest, unless they may add up. */
static Touched touched_by_group(const Report *r, const TileMember *member) {
    Touched all = {0, member->uses.n == 1};
    double elements = (double)instr_elements(member->instr);
    for (int i = 0; i < member->uses.n; i++) {
        const TileUse *use = &member->uses.at[i];
        Touched one = index_touched(r->group->domain, element_shape(member->instr)->rank, use->index);
        one.exact &= use->missed == 0;
        all.exact &= one.exact;
        if (one.elements >= elements && one.exact) return (Touched){elements, true};
        if (one.elements > all.elements) all.elements = one.elements;
    }
    if (all.elements > elements) all.elements = elements;
    return all;
}

static void print_count(const Report *r, double count) {
    if (count >= 1000 || count == (double)(int64_t)count) text_printf(r->out, "%.0f", count);
    else text_printf(r->out, "%.3g", count);
}

static void print_edge(const Report *r, const TileMember *reader, const TileMember *member) {
    const Shape *shape = element_shape(member->instr);
    Touched touched = touched_by_group(r, member);
    double elements = (double)instr_elements(member->instr), share = elements > 0 ? touched.elements / elements : 0;
    double bytes = (double)shape_bytes(shape);
    text_printf(r->out, "    %s -> %s: %s, %s; read ", member->instr->name, reader->instr->name,
                mode_names[member->mode], why(r, member));
    print_count(r, reads_per_element(member));
    text_printf(r->out, " times per element, %s%.4g %% of its elements", touched.exact ? "" : "about ", 100 * share);
    /* neither written nor read */
    if (member->mode == TILE_INLINE || member->mode == TILE_HERO || member->mode == TILE_STAGE)
        text_printf(r->out, ", %.0f bytes saved", bytes + bytes * share);
    text_char(r->out, '\n');
}

static void print_edges(const Report *r, const TileMember *reader) {
    const Instr *instr = reader->instr;
    bool computed = reader->mode != TILE_READ;
    for (int k = 0; computed && k < instr->n_operands; k++) {
        const TileMember *member = key_table_get(&r->group->by_instr, POINTER_KEY(instr->operands[k]));
        bool again = false;
        for (int j = 0; j < k; j++) again |= instr->operands[j] == instr->operands[k];
        if (member && !again && member->uses.n) print_edge(r, reader, member);
    }
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static void show(const Index *variable, void *context) {
    if (variable->kind == INDEX_DIM) ((bool *)context)[variable->value] = true;
}

static void print_access(const Report *r, const char *what, const Instr *instr, const Index *const *index) {
    const Shape *shape = element_shape(instr);
    Contiguity contiguity = index_contiguity(r->group->domain, shape, index);
    text_printf(r->out, "    %s %s at (", what, instr->name);
    for (int i = 0; i < shape->rank; i++) {
        text_put(r->out, i ? ", " : "");
        index_print(r->out, index[i], NULL);
        index_walk_variables(index[i], show, r->shown);
    }
    text_put(r->out, "): ");
    if (!contiguity.unit_stride) {
        text_put(r->out, "no unit stride\n");
        return;
    }
    text_put(r->out, "unit stride along ");
    index_print(r->out, contiguity.unit_stride, NULL);
    text_printf(r->out, ", runs of %lld elements\n", (long long)contiguity.run);
}

static void print_accesses(const Report *r) {
    for (int i = 0; i < r->group->members.n; i++) {
        const TileMember *member = r->group->members.at[i];
        bool memory = member->mode == TILE_READ && element_shape(member->instr)->rank;
        for (int u = 0; memory && u < member->uses.n; u++)
            print_access(r, "reads", member->instr, member->uses.at[u].index);
    }
    for (int i = 0; i < r->group->nests.n; i++) {
        const TileNest *nest = r->group->nests.at[i];
        for (int t = 0; nest->kind != NEST_PACK && !nest->updates && t < nest->targets.n; t++) {
            const TileMember *target = nest->targets.at[t];
            if (target->mode == TILE_ROOT) print_access(r, "writes", target->instr, nest->index);
        }
    }
}

/* What the variables in the accesses are. */
static void print_variables(const Report *r) {
    for (int i = 0; i < r->group->variables.n; i++) {
        const TileVariable *v = &r->group->variables.at[i];
        Interval range = r->group->domain->dims.at[i];
        if (!v->instr || interval_count(range) <= 1 || !r->shown[i]) continue;
        text_printf(r->out, "    d%d in [%lld, %lld]: %s %d of %s", i, (long long)range.low, (long long)range.high,
                    v->is_symbol ? "range" : "dim", v->dim, v->instr->name);
        if (v->stride > 1) text_printf(r->out, ", in steps of %lld", (long long)v->stride);
        text_char(r->out, '\n');
    }
}

/* What a step without a tile program reads. */
static void report_step(const TileStep *step, int number, Text *out) {
    bool tiny = step->kind == STEP_TINY;
    const Instr *instr = step->instr;
    text_printf(out, "  step %d: %s %s, %s\n", number, instr->name, op_name(instr->op),
                tiny ? "a few scalars" : "done whole");
    for (int k = 0; k < instr->n_operands; k++)
        text_printf(out, "    %s -> %s: store, read by %s\n", instr->operands[k]->name, instr->name,
                    tiny ? "scalar code" : "what is done whole");
}

void fuse_report(const TilePlan *plan, Text *out) {
    text_printf(out, "computation %s\n", plan->computation->name);
    for (int i = 0; i < plan->steps.n; i++) {
        const TileStep *step = &plan->steps.at[i];
        if (step->kind != STEP_GROUP) {
            report_step(step, i, out);
            continue;
        }
        bool *shown = NEW_ARRAY(step->group->domain->pool->arena, bool, step->group->domain->dims.n);
        Report r = {out, plan, step->group, shown};
        text_printf(out, "  step %d: group %s, %lld bytes of staged tiles\n", i, step->group->lead->instr->name,
                    (long long)step->group->footprint);
        for (int k = 0; k < step->group->members.n; k++) print_edges(&r, step->group->members.at[k]);
        print_accesses(&r);
        print_variables(&r);
    }
}
