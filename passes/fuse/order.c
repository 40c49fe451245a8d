#include "passes/fuse/planner.h"

/* The order of steps: a graph of what needs what, and its topological order, as near to the text's as it can be. */

int node_new(Planner *planner, TileStep step, int last) {
    vec_push(planner->arena, &planner->nodes, (Node){.step = step, .last = last});
    return planner->nodes.n - 1;
}

void node_needs(Planner *planner, int node, int needed) {
    if (node < 0 || needed < 0 || node == needed) return;
    Node *n = &planner->nodes.at[node];
    for (int i = n->needs.n - 1; i >= 0; i--)
        if (n->needs.at[i] == needed) return;
    vec_push(planner->arena, &n->needs, needed);
}

bool node_reaches(Planner *planner, int from, int to) {
    if (from == to) return true;
    VEC(int) stack = {0};
    planner->stamp++;
    vec_push(planner->arena, &stack, from);
    while (stack.n) {
        Node *n = &planner->nodes.at[stack.at[--stack.n]];
        if (n->stamp == planner->stamp) continue;
        n->stamp = planner->stamp;
        for (int i = 0; i < n->needs.n; i++) {
            if (n->needs.at[i] == to) return true;
            vec_push(planner->arena, &stack, n->needs.at[i]);
        }
    }
    return false;
}

/* A binary heap of nodes by `last`. */
typedef struct {
    const Planner *planner;
    VEC(int) heap;
} Ready;

static bool before(const Ready *r, int i, int k) {
    return r->planner->nodes.at[r->heap.at[i]].last < r->planner->nodes.at[r->heap.at[k]].last;
}

static void swap(Ready *r, int i, int k) {
    int t = r->heap.at[i];
    r->heap.at[i] = r->heap.at[k];
    r->heap.at[k] = t;
}

static void ready_push(Ready *r, int node) {
    vec_push(r->planner->arena, &r->heap, node);
    for (int i = r->heap.n - 1; i > 0 && before(r, i, (i - 1) / 2); i = (i - 1) / 2) swap(r, i, (i - 1) / 2);
}

static int ready_pop(Ready *r) {
    int node = r->heap.at[0];
    r->heap.at[0] = r->heap.at[--r->heap.n];
    for (int i = 0;;) {
        int least = i;
        for (int k = 2 * i + 1; k <= 2 * i + 2 && k < r->heap.n; k++)
            if (before(r, k, least)) least = k;
        if (least == i) return node;
        swap(r, i, least);
        i = least;
    }
}

void order_steps(Planner *planner, TilePlan *plan) {
    int n = planner->nodes.n;
    int *waiting = NEW_ARRAY(planner->arena, int, n);
    typedef VEC(int) Ints;
    Ints *readers = NEW_ARRAY(planner->arena, Ints, n);
    Ready ready = {planner, {0}};
    for (int i = 0; i < n; i++) {
        waiting[i] = planner->nodes.at[i].needs.n;
        for (int k = 0; k < waiting[i]; k++) vec_push(planner->arena, &readers[planner->nodes.at[i].needs.at[k]], i);
        if (!waiting[i]) ready_push(&ready, i);
    }
    while (ready.heap.n) {
        int node = ready_pop(&ready);
        vec_push(planner->arena, &plan->steps, planner->nodes.at[node].step);
        for (int k = 0; k < readers[node].n; k++)
            if (--waiting[readers[node].at[k]] == 0) ready_push(&ready, readers[node].at[k]);
    }
    if (plan->steps.n != n) internal_error(planner->computation->name, "fusion made steps that need each other");
}
