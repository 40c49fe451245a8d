/* Words for the error codes of generated functions. */
#include "hlocc/rt_core.h"

const char *hlocc_strerror(int error)
{
    static const char *const words[HLOCC_ERROR_COUNT] = {
        "no error",
        "invalid argument",
        "communication failed",
        "an assertion of the program does not hold",
        "a callback is missing or failed",
        "a linear algebra routine failed",
        "out of memory",
        "a peer did not answer in time",
        "not supported by this build of the runtime",
    };
    if (error < 0 || error >= HLOCC_ERROR_COUNT) return "unknown error";
    return words[error];
}
