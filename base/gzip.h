/* Unpacking gzip files (RFC 1952) and the deflate streams in them (RFC 1951). */
#ifndef BASE_GZIP_H
#define BASE_GZIP_H

#include <stdbool.h>

#include "base/text.h"

/* Whether n bytes begin as a gzip file does. */
bool gzip_is(const char *bytes, size_t n);

/* Appends what is packed in n bytes, all members of the file, to out. NULL, or what is wrong with them; limit: more
 * bytes than that are an error too. */
const char *gzip_unpack(Text *out, const char *bytes, size_t n, size_t limit);

#endif
