/* Constants whose values the printer of the text left out: `constant({...})`. */
#ifndef DRIVER_ELIDED_H
#define DRIVER_ELIDED_H

#include "driver/compile_options.h"
#include "ir/hlo.h"

/* Does with every elided constant that the entry reaches what --elided says:
 *   ELIDED_ERROR  an error at each, with advice how to obtain the values
 *   ELIDED_ZEROS  zeros, and a warning at each
 *   ELIDED_PARAM  a further parameter of the entry for each, behind those there are, named after the constant. A
 *                 constant of another computation is passed down as an operand of the calls and fusions that lead to
 *                 it; in other called computations (loops, branches, reducers) it is an error that says so.
 * False when there were errors. */
bool module_resolve_elided(Module *module, ElidedMode mode, Diags *diags);

/* --weights=param: constants of more than 64 elements become parameters behind the others. Those inside loops, branches
 * and reducers stay what they are. */
void module_weights_to_parameters(Module *module, Diags *diags);

#endif
