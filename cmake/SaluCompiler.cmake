# Language, warnings and instrumentation. The target salu_options has the settings of targets. Settings that all object
# files of a program have to share (sanitizers, coverage) apply to the whole directory tree.
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

# Searched once per build folder: if ccache is installed later, using it would change all commands and rebuild everything.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CACHE{CMAKE_CXX_COMPILER_LAUNCHER})
  find_program(salu_ccache ccache NO_CACHE)
  if(NOT salu_ccache)
    set(salu_ccache "")
  elseif(SALU_PRECOMPILE_TESTS)
    # The manual of ccache requires this for precompiled headers.
    list(PREPEND salu_ccache "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER "${salu_ccache}" CACHE STRING "Program that runs the compiler, such as ccache")
endif()

add_library(salu_options INTERFACE)
target_compile_features(salu_options INTERFACE cxx_std_20)
# Newer compilers have new warnings, so warnings are errors only with CMAKE_COMPILE_WARNING_AS_ERROR, which continuous
# integration sets. A project that contains salu selects its own warnings.
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(salu_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
endif()
# Both warnings have false positives after GCC 12 has inlined operator+ of std::string (GCC bug 105651) and the destructors
# of std::variant and std::optional. Clang compiles the same files with its own analysis.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(salu_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
# std::stable_sort of libstdc++ 12 uses a function that libstdc++ declares deprecated.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(salu_options INTERFACE -Wno-deprecated-declarations)
endif()

# About 24 programs link all libraries. lld links such a program in a fraction of a second.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld SALU_HAS_LLD)
  if(SALU_HAS_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# The assertions of libstdc++ detect reads of an empty std::optional and indices beyond size() within the allocated memory;
# the sanitizers do not.
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
