/* Names that a C program cannot give to a function of its own. */
#ifndef DRIVER_C_NAMES_H
#define DRIVER_C_NAMES_H

#include <stdbool.h>

/* Letters, digits and underscores, no digit first. */
bool is_c_identifier(const char *name);

/* Whether C has it already: a keyword (of C++ too: headers are included there), main, or a function of the standard
 * library or of Unix, which compilers know without any declaration. */
bool is_taken_by_c(const char *name);

#endif
