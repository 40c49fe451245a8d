/* Where our own things are: the tools beside the running one; the runtime's headers and library in the build tree
 * (build/include, build/libhlocc-rt.a) or as installed (../include, ../lib). */
#ifndef DRIVER_TOOL_PATHS_H
#define DRIVER_TOOL_PATHS_H

#include "base/arena.h"

/* Where the shell finds a program: in PATH, unless its name has a folder. The name itself when it finds none. */
const char *program_path(Arena *arena, const char *program);

/* The folder of the running executable. argv0: as main got it. */
const char *tool_folder(Arena *arena, const char *argv0);

/* The folder to give to cc -I, and the one to give to cc -L, for the tool in that folder. */
const char *runtime_include_folder(Arena *arena, const char *tools);
const char *runtime_library_folder(Arena *arena, const char *tools);

#endif
