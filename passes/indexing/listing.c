#include <stdlib.h>
#include <string.h>

#include "base/codes.h"
#include "passes/indexing/maps.h"
#include "passes/indexing/tile_analysis.h"
#include "passes/indexing/tile_listing.h"

/* The listing of a module's maps (maps-output.md section 1), or of their tiles. */

typedef struct {
    Maps *maps;
    Text *out;
    MapsOptions options;
    TileSizes sizes;
    const IndexMap *tiles; /* of the root of a grouped listing, of these sizes; or NULL */
} Listing;

static void print_map(Listing *l, const IndexMap *map) {
    if (l->options.tiles) {
        tile_print_place(l->maps, l->out, map, l->tiles, &l->sizes);
        return;
    }
    text_put(l->out, "    ");
    index_map_print(l->out, map);
    text_char(l->out, '\n');
}

static void print_set(Listing *l, const MapSet *set) {
    Text *out = l->out;
    for (int i = 0; i < set->list.n; i++) {
        const OperandMap *map = &set->list.at[i];
        print_map(l, map->map);
        for (int k = 0; map->map && !map->map->empty && k < map->map->n_rts; k++) {
            text_printf(out, "      rt%d = %s in %s: ", k, map->runtimes[k].supplier->name,
                        map->runtimes[k].supplier->parent->name);
            index_map_print(out, map->runtimes[k].map);
            text_char(out, '\n');
        }
        if (!map->replica || !map->map || map->map->empty) continue;
        text_put(out, "      replica: ");
        index_map_print(out, map->replica);
        text_char(out, '\n');
    }
}

/* from and to: what a map's dims and results index; arrays or, of what is unknown anyway, anything. */
static void print_maps(Listing *l, MapSet set, const Shape *from, const Shape *to) {
    if (l->options.physical && shape_is_array(from) && shape_is_array(to)) set = maps_physical(l->maps, &set, from, to);
    print_set(l, &set);
}

static const Shape *operand_shape(const Instr *instr, int k) {
    return instr->op == OP_GET_TUPLE_ELEMENT ? instr->shape : instr->operands[k]->shape;
}

static void print_out_to_in(Listing *l, Instr *instr) {
    for (int i = 0; i < maps_n_outputs(instr); i++) {
        for (int k = 0; k < instr->n_operands; k++) {
            text_printf(l->out, "  output %d, operand %d = %s:\n", i, k, instr->operands[k]->name);
            print_maps(l, maps_out_to_in(l->maps, instr, i, k), maps_output(instr, i), operand_shape(instr, k));
        }
    }
}

static void print_in_to_out(Listing *l, Instr *instr) {
    for (int k = 0; k < instr->n_operands; k++) {
        for (int i = 0; i < maps_n_outputs(instr); i++) {
            text_printf(l->out, "  operand %d = %s, output %d:\n", k, instr->operands[k]->name, i);
            print_maps(l, maps_in_to_out(l->maps, instr, k, i), instr->operands[k]->shape, maps_output(instr, i));
        }
    }
}

static void print_item(Listing *l, Instr *instr) {
    bool backwards = l->options.direction == MAPS_OUT_TO_IN;
    if (!instr->n_operands && !backwards) return;
    text_printf(l->out, "instruction %s in %s: %s%s\n", instr->name, instr->parent->name, op_name(instr->op),
                instr == instr->parent->root ? ", root" : "");
    if (backwards) print_out_to_in(l, instr);
    else print_in_to_out(l, instr);
}

static void print_group(Listing *l, const Instr *from, Instr *to, MapSet set) {
    text_printf(l->out, "  instruction %s in %s:\n", to->name, to->parent->name);
    print_maps(l, set, maps_output(from, 0), maps_output(to, 0));
}

static bool print_from(Listing *l, Instr *from, Diags *diags) {
    text_printf(l->out, "from %s in %s:\n", from->name, from->parent->name);
    if (l->options.direction == MAPS_EPILOGUE) {
        print_group(l, from, from->parent->root, maps_epilogue(l->maps, from));
        return true;
    }
    GroupedList list = maps_grouped(l->maps, from);
    const Shape *shape = maps_output(list.at[0].instr, 0);
    if (l->options.tiles && !tile_sizes_check(&l->sizes, shape, diags)) return false;
    if (l->sizes.n_sizes) l->tiles = tiles_of_root(l->maps, shape->rank, shape->dims, l->sizes.sizes);
    for (int i = 0; i < list.n; i++) print_group(l, list.at[0].instr, list.at[i].instr, list.at[i].set);
    if (l->options.tiles) tile_analysis_print(l->maps, l->out, &list, &l->sizes);
    return true;
}

/* --- the order of the text --------------------------------------------------------------------------------------- */

static int by_place(Span a, Span b) {
    return a.begin < b.begin ? -1 : a.begin > b.begin;
}

static int compare_computations(const void *a, const void *b) {
    return by_place((*(Computation *const *)a)->span, (*(Computation *const *)b)->span);
}

static int compare_instrs(const void *a, const void *b) {
    return by_place((*(Instr *const *)a)->span, (*(Instr *const *)b)->span);
}

/* What a start in the short form (add-start) runs stands nowhere. */
static bool is_in_text(const Computation *computation) {
    return computation->span.begin != computation->name_span.begin ||
           computation->span.end != computation->name_span.end;
}

static Computation **computations_in_order(Arena *arena, const Module *module) {
    Computation **sorted = NEW_ARRAY(arena, Computation *, module->computations.n);
    for (int i = 0; i < module->computations.n; i++) sorted[i] = module->computations.at[i];
    qsort(sorted, (size_t)module->computations.n, sizeof *sorted, compare_computations);
    return sorted;
}

static Instr **instrs_in_order(Arena *arena, const Computation *computation) {
    Instr **sorted = NEW_ARRAY(arena, Instr *, computation->instrs.n);
    for (int i = 0; i < computation->instrs.n; i++) sorted[i] = computation->instrs.at[i];
    qsort(sorted, (size_t)computation->instrs.n, sizeof *sorted, compare_instrs);
    return sorted;
}

Instr *maps_find(const Module *module, const char *from) {
    if (!from) return module->entry->root;
    Instr *found = NULL;
    for (int i = 0; i < module->computations.n; i++) {
        Computation *computation = module->computations.at[i];
        size_t n = strlen(computation->name);
        bool inside = strncmp(from, computation->name, n) == 0 && from[n] == '/';
        for (int k = 0; k < computation->instrs.n; k++) {
            Instr *instr = computation->instrs.at[k];
            if (strcmp(instr->name, from) != 0 && !(inside && strcmp(instr->name, from + n + 1) == 0)) continue;
            if (!found || instr->span.begin < found->span.begin) found = instr;
        }
    }
    return found;
}

bool maps_print(Text *out, Arena *arena, const Module *module, MapsOptions options, Diags *diags) {
    static const char *const directions[] = {"out-to-in", "in-to-out", "grouped", "epilogue"};
    Listing l = {.maps = maps_new(arena, options.dialect_c), .out = out, .options = options};
    l.sizes = (TileSizes){options.n_tile_sizes, options.tile_sizes};
    text_printf(out, "%s %s %s\n", options.tiles ? "tiles" : "maps", directions[options.direction],
                options.physical ? "physical" : "logical");
    if (options.direction == MAPS_GROUPED || options.direction == MAPS_EPILOGUE) {
        Instr *from = maps_find(module, options.from);
        if (from) return print_from(&l, from, diags);
        diag_error(diags, (Span){0, 0}, E_NO_INSTRUCTION, "no instruction is called '%s'", options.from);
        return false;
    }
    Computation **computations = computations_in_order(arena, module);
    for (int i = 0; i < module->computations.n; i++) {
        if (!is_in_text(computations[i])) continue;
        Instr **instrs = instrs_in_order(arena, computations[i]);
        for (int k = 0; k < computations[i]->instrs.n; k++) print_item(&l, instrs[k]);
    }
    return true;
}
