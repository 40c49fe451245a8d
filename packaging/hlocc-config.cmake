# find_package(hlocc): the function hlocc_add_library, and the targets hlocc::rt and (where it is installed) hlocc::rt-mpi.
#
#   hlocc_add_library(TARGET module.hlo [PREFIX name] [WEIGHTS inline|separate|extern|file|param]
#                     [WORKSPACE arg|static|malloc] [ARCH avx512|avx2|x86-64|neon|generic|native]
#                     [OPENMP] [MPI] [FREESTANDING] [OPTIONS option...])
#
# A static library TARGET of the C that hlocc makes of module.hlo; who links it can #include "module.h". With WEIGHTS file
# the file is named by the property HLOCC_WEIGHTS_FILE of TARGET. OPENMP and MPI find and link these. Without ARCH code is for
# this machine; when cross-compiling for NEON on 64-bit ARM, SSE2 on x86-64, plain C elsewhere, and it is self-contained: the
# runtime of the host is of no use to it. FREESTANDING: for targets without an operating system.
include(CMakeFindDependencyMacro)
get_filename_component(HLOCC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HLOCC_EXECUTABLE "${HLOCC_PREFIX}/bin/hlocc" CACHE FILEPATH "the compiler from HLO to C")

if(NOT TARGET hlocc::rt AND NOT CMAKE_CROSSCOMPILING)
  find_dependency(Threads)
  add_library(hlocc::rt STATIC IMPORTED)
  set_target_properties(hlocc::rt PROPERTIES
    IMPORTED_LOCATION "${HLOCC_PREFIX}/lib/libhlocc-rt.a"
    INTERFACE_INCLUDE_DIRECTORIES "${HLOCC_PREFIX}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;m")
  if(EXISTS "${HLOCC_PREFIX}/lib/libhlocc-rt-mpi.a")
    add_library(hlocc::rt-mpi STATIC IMPORTED)
    set_target_properties(hlocc::rt-mpi PROPERTIES
      IMPORTED_LOCATION "${HLOCC_PREFIX}/lib/libhlocc-rt-mpi.a"
      INTERFACE_LINK_LIBRARIES "hlocc::rt")
  endif()
endif()

function(_hlocc_default_arch result)
  if(NOT CMAKE_CROSSCOMPILING)
    set(arch native)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)")
    set(arch neon)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(arch x86-64)
  else()
    set(arch generic)
  endif()
  set(${result} ${arch} PARENT_SCOPE)
endfunction()

# What the C compiler must be told for arch: hlocc knows.
function(_hlocc_arch_flags arch result)
  execute_process(COMMAND "${HLOCC_EXECUTABLE}" --cflags --target=${arch}
    OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "hlocc_add_library: ${HLOCC_EXECUTABLE} --cflags --target=${arch} failed")
  endif()
  separate_arguments(flags UNIX_COMMAND "${flags}")
  list(FILTER flags EXCLUDE REGEX "^-I")
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

function(hlocc_add_library target module)
  cmake_parse_arguments(PARSE_ARGV 2 arg "OPENMP;MPI;FREESTANDING" "PREFIX;WEIGHTS;WORKSPACE;ARCH" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hlocc_add_library: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(module "${module}" ABSOLUTE)
  get_filename_component(stem "${module}" NAME_WE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/hlocc/${target}")
  file(MAKE_DIRECTORY "${folder}")
  set(sources "${folder}/${stem}.c")
  set(outputs "${folder}/${stem}.c" "${folder}/${stem}.h")
  if(NOT arg_ARCH)
    _hlocc_default_arch(arg_ARCH)
  endif()
  _hlocc_arch_flags(${arg_ARCH} arch_flags)
  set(options --target=${arg_ARCH} ${arg_OPTIONS})
  if(arg_PREFIX)
    list(APPEND options --prefix=${arg_PREFIX})
  endif()
  if(arg_WORKSPACE)
    list(APPEND options --workspace=${arg_WORKSPACE})
  endif()
  if(arg_WEIGHTS)
    list(APPEND options --weights=${arg_WEIGHTS})
  endif()
  if(arg_WEIGHTS STREQUAL "separate")
    list(APPEND sources "${folder}/${stem}_weights.c")
    list(APPEND outputs "${folder}/${stem}_weights.c")
  elseif(arg_WEIGHTS STREQUAL "file")
    list(APPEND outputs "${folder}/${stem}.weights")
  endif()
  if(arg_FREESTANDING)
    list(APPEND options --freestanding)
  elseif(CMAKE_CROSSCOMPILING)
    list(APPEND options --self-contained)
  endif()

  add_custom_command(OUTPUT ${outputs}
    COMMAND "${HLOCC_EXECUTABLE}" ${options} -MD -MF "${folder}/${stem}.d" -MT "${folder}/${stem}.c"
            -o "${folder}/${stem}.c" "${module}"
    DEPENDS "${module}" "${HLOCC_EXECUTABLE}"
    DEPFILE "${folder}/${stem}.d"
    COMMENT "HLO ${stem}.hlo" VERBATIM)
  add_library(${target} STATIC ${sources})
  set_source_files_properties(${outputs} PROPERTIES GENERATED TRUE)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON HLOCC_WEIGHTS_FILE "${folder}/${stem}.weights")
  target_include_directories(${target} PUBLIC "${folder}")
  target_compile_options(${target} PRIVATE ${arch_flags} $<$<NOT:$<CONFIG:Debug>>:-O3>)
  if(NOT arg_FREESTANDING AND NOT CMAKE_CROSSCOMPILING)
    target_link_libraries(${target} PUBLIC hlocc::rt)
  elseif(NOT arg_FREESTANDING)
    target_link_libraries(${target} PUBLIC m)
  endif()
  if(arg_OPENMP)
    find_package(OpenMP REQUIRED COMPONENTS C)
    target_link_libraries(${target} PRIVATE OpenMP::OpenMP_C)
  endif()
  if(arg_MPI)
    if(NOT TARGET hlocc::rt-mpi)
      message(FATAL_ERROR "hlocc_add_library: MPI: hlocc was installed without libhlocc-rt-mpi")
    endif()
    find_package(MPI REQUIRED COMPONENTS C)
    target_link_libraries(${target} PUBLIC hlocc::rt-mpi MPI::MPI_C)
  endif()
endfunction()
