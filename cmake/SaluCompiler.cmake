# Language, warnings and instrumentation. Per-target settings sit on salu_options; what has to be the same in every
# object file of a program (sanitizers, coverage) is set for the whole directory tree.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

get_property(salu_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT salu_multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# Decided once per build folder: a ccache that is installed later would change every command line and rebuild everything.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CACHE{CMAKE_CXX_COMPILER_LAUNCHER})
  find_program(salu_ccache ccache NO_CACHE)
  if(NOT salu_ccache)
    set(salu_ccache "")
  elseif(SALU_PRECOMPILE_TESTS)
    # What the manual of ccache asks for where headers are precompiled.
    list(PREPEND salu_ccache "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER "${salu_ccache}" CACHE STRING "Program that runs the compiler, such as ccache")
endif()

add_library(salu_options INTERFACE)
target_compile_features(salu_options INTERFACE cxx_std_20)
# Warnings are errors with CMAKE_COMPILE_WARNING_AS_ERROR only, which continuous integration sets: a newer compiler has
# new warnings. A project that contains salu selects its own warnings.
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(salu_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
endif()
# Both of these see what is not there once GCC 12 has inlined std::string's operator+ (GCC bug 105651) and the
# destructors of std::variant and std::optional. Clang builds the same files and has its own analysis.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(salu_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
# std::stable_sort of libstdc++ 12 uses what the same library calls deprecated.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(salu_options INTERFACE -Wno-deprecated-declarations)
endif()

# Two dozen programs with all of the libraries in each: lld links one in a fraction of a second.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld SALU_HAS_LLD)
  if(SALU_HAS_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# The sanitizers do not see an empty std::optional that is read, or an index that stays within what is allocated: the
# library's own assertions do.
if(SALU_SANITIZE)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  list(JOIN SALU_SANITIZE "," salu_sanitizers)
  add_compile_options(-fsanitize=${salu_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(SALU_SANITIZE_LEFT_OUT)
    list(JOIN SALU_SANITIZE_LEFT_OUT "," salu_left_out)
    add_compile_options(-fno-sanitize=${salu_left_out})
  endif()
  add_link_options(-fsanitize=${salu_sanitizers})
endif()

if(SALU_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()

if(SALU_BUILD_FUZZERS AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "SALU_BUILD_FUZZERS needs clang, not ${CMAKE_CXX_COMPILER_ID}: configure with -DCMAKE_CXX_COMPILER=clang++-19")
endif()
