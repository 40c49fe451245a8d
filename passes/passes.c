#include "passes/passes.h"

static const Pass table[] = {
    {"inline", "calls, fusions and maps become what they call", pass_inline, true},
    {"bitcast", "bitcasts become transposes, reshapes and bitcast-converts", pass_bitcast, true},
    {"expand", "operations that other operations can say", pass_expand, true},
    {"bounds", "arrays of bounded size have room for it, and their sizes beside them", pass_bounds, true},
    {"split", "concatenates of very many operands", pass_split, true},
    {"forward", "elements of tuples, barriers and identities", pass_forward, true},
    {"dce", "unused instructions", pass_dce, true},
    {"fold", "constants", pass_fold, false},
    {"simplify", "algebra", pass_simplify, false},
    {"forward", "elements of tuples, barriers and identities", pass_forward, false},
    {"fold", "constants", pass_fold, false},
    {"partial", "large reductions to a few elements go by partial results", pass_partial, false},
    {"cse", "equal instructions", pass_cse, false},
    {"dce", "unused instructions", pass_dce, false},
};

const Pass *passes_table(int *n) {
    *n = (int)(sizeof table / sizeof *table);
    return table;
}
