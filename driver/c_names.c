#include "driver/c_names.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const char *const keywords[] = {
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "asm",
    "typeof", "bool", "true", "false", "class", "new", "delete", "this", "template", "namespace", "operator",
    "private", "public", "protected", "try", "catch", "throw", "using", "virtual", "and", "or", "not", "xor",
    "bitand", "bitor", "compl", "not_eq", "and_eq", "or_eq", "xor_eq", "friend", "export", "mutable", "explicit",
    "typename", "wchar_t", "alignas", "alignof", "constexpr", "decltype", "noexcept", "nullptr", "static_assert",
    "thread_local", "typeid", "const_cast", "static_cast", "dynamic_cast", "reinterpret_cast", "char16_t", "char32_t",
    "main",
};

/* Each also with an f and with an l behind it: of float and long double. */
static const char *const math[] = {
    "acos", "asin", "atan", "atan2", "cos", "sin", "tan", "acosh", "asinh", "atanh", "cosh", "sinh", "tanh", "exp",
    "exp2", "expm1", "frexp", "ilogb", "ldexp", "log", "log10", "log1p", "log2", "logb", "modf", "scalbn", "scalbln",
    "cbrt", "fabs", "hypot", "pow", "sqrt", "erf", "erfc", "lgamma", "tgamma", "ceil", "floor", "nearbyint", "rint",
    "lrint", "llrint", "round", "lround", "llround", "trunc", "fmod", "remainder", "remquo", "copysign", "nan",
    "nextafter", "nexttoward", "fdim", "fmax", "fmin", "fma", "exp10", "pow10", "drem", "gamma", "significand",
    "scalb", "sincos", "finite", "isinf", "isnan", "j0", "j1", "jn", "y0", "y1", "yn", "roundeven", "cabs", "cacos",
    "cacosh", "carg", "casin", "casinh", "catan", "catanh", "ccos", "ccosh", "cexp", "cimag", "clog", "conj", "cpow",
    "cproj", "creal", "csin", "csinh", "csqrt", "ctan", "ctanh",
};

static const char *const library[] = {
    "abort", "abs", "aligned_alloc", "alloca", "at_quick_exit", "atexit", "atof", "atoi", "atol", "atoll", "bcmp",
    "bcopy", "bsearch", "bzero", "calloc", "clearerr", "close", "div", "dup", "errno", "exit", "fclose", "feof",
    "ferror", "fflush", "ffs", "ffsl", "ffsll", "fgetc", "fgetpos", "fgets", "fopen", "fork", "fprintf", "fputc",
    "fputs", "fread", "free", "freopen", "fscanf", "fseek", "fsetpos", "ftell", "fwrite", "getc", "getchar", "getenv",
    "gets", "imaxabs", "imaxdiv", "index", "isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit",
    "isfinite", "isgraph", "islower", "isnormal", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "labs",
    "ldiv", "link", "llabs", "lldiv", "longjmp", "malloc", "mblen", "mbstowcs", "mbtowc", "memccpy", "memchr",
    "memcmp", "memcpy", "memmove", "mempcpy", "memset", "open", "perror", "pipe", "printf", "putc", "putchar", "puts",
    "qsort", "quick_exit", "raise", "rand", "random", "read", "realloc", "remove", "rename", "rewind", "rindex",
    "scanf", "select", "setbuf", "setjmp", "setvbuf", "signal", "signbit", "sleep", "snprintf", "sprintf", "srand",
    "sscanf", "stderr", "stdin", "stdout", "stpcpy", "stpncpy", "strcasecmp", "strcat", "strchr", "strcmp", "strcoll",
    "strcpy", "strcspn", "strdup", "strerror", "strfmon", "strlen", "strncasecmp", "strncat", "strncmp", "strncpy",
    "strndup", "strpbrk", "strrchr", "strspn", "strstr", "strtod", "strtof", "strtok", "strtol", "strtold", "strtoll",
    "strtoul", "strtoull", "strxfrm", "system", "time", "times", "tmpfile", "tmpnam", "toascii", "tolower", "toupper",
    "ungetc", "vfprintf", "vfscanf", "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf", "wait", "wcstombs",
    "wctomb", "write",
};

bool is_c_identifier(const char *name) {
    if (!isalpha((unsigned char)*name) && *name != '_') return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    return true;
}

static bool is_math(const char *name, const char *function) {
    size_t n = strlen(function);
    return strncmp(name, function, n) == 0 &&
           (!name[n] || ((name[n] == 'f' || name[n] == 'l') && !name[n + 1]));
}

bool is_taken_by_c(const char *name) {
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(name, keywords[i]) == 0) return true;
    for (size_t i = 0; i < sizeof math / sizeof *math; i++)
        if (is_math(name, math[i])) return true;
    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        if (strcmp(name, library[i]) == 0) return true;
    return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}
