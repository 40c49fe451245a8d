/* Are results what was expected? */
#ifndef DRIVER_COMPARE_H
#define DRIVER_COMPARE_H

#include "driver/notes.h"
#include "ir/literal.h"

/* Compares two array literals of one shape. Integers and predicates must be equal; floating-point elements may differ
 * by |got - expected| <= atol + rtol * |expected|; NaN equals NaN, infinities of one sign are equal. Complex elements
 * are measured by their distance when all components are finite, else each component for itself. Without a given
 * tolerance that of the element type counts (tolerance_default).
 *
 * False: report gets a line that names the array, how many elements differ, and the one that is farthest beyond what is
 * allowed, with its index. */
bool literal_compare(const Literal *got, const Literal *expected, Tolerance tolerance, const char *name, Text *report);

/* rtol 1e-5, atol 1e-6; 16-bit and smaller types 1e-2 both; f64 and c128 1e-12, 1e-13; integers exact. */
Tolerance tolerance_default(DType dtype);

#endif
