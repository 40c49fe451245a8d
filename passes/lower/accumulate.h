/* Inside of nest.c's friends: the accumulators of a nest's reductions and one step of them. */
#ifndef PASSES_LOWER_ACCUMULATE_H
#define PASSES_LOWER_ACCUMULATE_H

#include "passes/lower/combiner.h"
#include "passes/lower/nest_build.h"

/* One reduction at one copy of the outputs: an element per leaf, for each of the partial vectors. */
typedef struct {
    KVar *vars[2]; /* parts */
} Accumulator;

typedef struct Accumulators {
    int n_copies, n_reductions, n_partials;
    Accumulator *at; /* [copy][reduction][leaf][partial] */
    int *first_leaf; /* per reduction */
    int n_leaves;
    KBuffer **memory; /* FORM_STREAMED: [reduction][leaf], by copies of strips */
} Accumulators;

Accumulators accumulators_new(NestBuild *b); /* for the copies of the outputs that are bound now */
Accumulator *accumulator(const Accumulators *a, int copy, int reduction, int leaf, int partial);

Instr *reduction_at(const NestBuild *b, int r);
bool contracts(const Instr *reduction);
int leaves_of(const Instr *reduction);
DType leaf_dtype(const Instr *reduction, int leaf);

/* How the accumulators of one reduction begin. */
typedef enum {
    BEGIN_INIT,    /* with the init value: it is combined once, or again and again without harm */
    BEGIN_NEUTRAL, /* with the neutral element; the init value is combined at the end */
} Begin;
Begin begin_of(const NestBuild *b, const Instr *reduction);
Elem neutral_value(NestBuild *b, const Instr *reduction, int leaf);

/* Declares the variables, each beginning with first(copy, reduction, leaf) in every lane. */
typedef Elem FirstValue(NestBuild *b, int copy, int r, int leaf);
void declare_accumulators(NestBuild *b, Accumulators *a, FirstValue *first);
Elem first_value(NestBuild *b, int copy, int r, int leaf);
Elem read_accumulator(NestBuild *b, const Accumulator *acc);

/* The output index at which reduction r is taken: the target's, or where the hero is read. */
const Index **reduction_index(NestBuild *b, int r);
const Index **unit_ranges(NestBuild *b);
/* All copies take in the elements at the reduced variables that are bound. */
void step_copies(NestBuild *b, Accumulators *a, int partial);
/* x and y combined as the reduction combines. */
void combine_elems(NestBuild *b, const Instr *reduction, const Elem *x, const Elem *y, Elem *out);
/* Gives each a variable of its own, named after an instruction. */
void name_elems(NestBuild *b, int n, Elem *elems, const Instr *after);
/* What guards say of the point that is bound: 0 it is no term; 1 it is; -1: if *condition. */
int point_guards(NestBuild *b, KValue **condition);
/* Small floats round once, at the end. */
void round_results(NestBuild *b, const Instr *reduction, Elem *elems);

/* For streamed.c: the loops over copies of the reduced axes, and the end. */
void reduced_copies(NestBuild *b, int a);
void finish_accumulators(NestBuild *b, const Accumulators *a);

void lower_streamed(NestBuild *b);

#endif
