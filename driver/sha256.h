/* SHA-256 (FIPS 180-4), to say which text something was made from. */
#ifndef DRIVER_SHA256_H
#define DRIVER_SHA256_H

#include <stddef.h>

enum { SHA256_DIGITS = 64 };

/* The hash of n bytes as lower-case hexadecimal digits, NUL-terminated. */
void sha256(const void *bytes, size_t n, char digits[SHA256_DIGITS + 1]);

#endif
