# salu_add_test_folder(<folder> [TIMEOUT <seconds>] [LIBRARIES <folder of src>...] [OPTIMISE] [LLVM <version>...]
#   [SLOW <name>...] [NEEDS_LLVM <name>...])
# Builds all .cpp files below tests/<folder> into the executable test_<folder>. Each of its GoogleTest suites becomes the
# ctest <folder>.<suite>: one ctest per suite is finer than one per executable, and starts fewer processes than one per
# test. tests/<folder>/*_test.py and *_test.sh become ctests as well.
#   LIBRARIES   link these modules only; the tests do not need the program. Default: all modules, and the program is built.
#   OPTIMISE    compile the tests with -O1 in a release build
#   LLVM        repeat suites that compare with LLVM for these versions (SaluDiscoverSuites.cmake)
# Labels: all tests have the label <folder>, those named by SLOW (suites, or scripts without _test) also `slow`, and those
# named by NEEDS_LLVM also `llvm`. scripts/test --fast runs neither of the two.
function(salu_add_test_folder folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISE" "TIMEOUT" "LIBRARIES;LLVM;SLOW;NEEDS_LLVM")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)
    # With all of the random input, a test takes longer under a sanitizer.
    if(SALU_SANITIZE AND SALU_TEST_REPETITION_DIVISOR EQUAL 1)
      set(arg_TIMEOUT 7200)
    endif()
  endif()
  set(directory "${PROJECT_SOURCE_DIR}/tests/${folder}")

  set(libraries salu_all)
  if(arg_LIBRARIES)
    set(libraries ${arg_LIBRARIES})
    list(TRANSFORM libraries PREPEND salu_)
  endif()

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${directory}/*.cpp")
  if(sources)
    set(target test_${folder})
    add_executable(${target} ${sources})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(${target} PRIVATE ${libraries} salu_options salu_test_config salu_dep::yaml_cpp salu_dep::elf
      nlohmann_json::nlohmann_json GTest::gmock GTest::gtest_main ${CMAKE_DL_LIBS})
    set(level plain)
    if(arg_OPTIMISE AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT SALU_SANITIZE)
      target_compile_options(${target} PRIVATE -O1)
      set(level optimised)
    endif()
    if(SALU_PRECOMPILE_TESTS)
      salu_precompile(${target} ${level})
    endif()
    if(TARGET salu AND NOT arg_LIBRARIES)
      add_dependencies(${target} salu)
    endif()
    salu_discover_suites(${target} ${folder} TIMEOUT ${arg_TIMEOUT} LLVM ${arg_LLVM} SLOW ${arg_SLOW}
      NEEDS_LLVM ${arg_NEEDS_LLVM})
  endif()

  file(GLOB scripts CONFIGURE_DEPENDS "${directory}/*_test.py" "${directory}/*_test.sh")
  foreach(script IN LISTS scripts)
    get_filename_component(name "${script}" NAME_WE)
    string(REGEX REPLACE "_test$" "" name "${name}")
    if(NOT SALU_TEST_LEFT_OUT STREQUAL "" AND name MATCHES "${SALU_TEST_LEFT_OUT}")
      continue()
    endif()
    if(script MATCHES "\\.py$")
      set(interpreter python3)
    else()
      set(interpreter bash)
    endif()
    set(test "${SALU_TEST_PREFIX}${folder}.${name}")
    set(labels ${folder})
    if(name IN_LIST arg_SLOW)
      list(APPEND labels slow)
    endif()
    if(name IN_LIST arg_NEEDS_LLVM)
      list(APPEND labels llvm)
    endif()
    add_test(NAME ${test} COMMAND ${interpreter} "${script}")
    set_tests_properties(${test} PROPERTIES LABELS "${labels}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77
      ENVIRONMENT "SALU_SOURCE_DIR=${PROJECT_SOURCE_DIR};SALU_EXECUTABLE=${PROJECT_BINARY_DIR}/bin/salu")
  endforeach()
endfunction()

# salu_add_llvm_test(<folder> <name> VERSIONS <version>... COMMAND <command>... [ENVIRONMENT <name=value>...])
# Adds a test for each version of LLVM: <folder>.<name> for LLVM 19, <folder>.llvm22.<name> for LLVM 22. The environment
# variable SALU_TEST_LLVM has the version. The test exits with 77 if that version is not installed.
function(salu_add_llvm_test folder name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "VERSIONS;COMMAND;ENVIRONMENT")
  foreach(version IN LISTS arg_VERSIONS)
    set(test "${SALU_TEST_PREFIX}${folder}.llvm${version}.${name}")
    if(version EQUAL 19)
      set(test "${SALU_TEST_PREFIX}${folder}.${name}")
    endif()
    add_test(NAME ${test} COMMAND ${arg_COMMAND})
    set_tests_properties(${test} PROPERTIES LABELS ${folder} TIMEOUT 3600 COST 50 SKIP_RETURN_CODE 77
      ENVIRONMENT "SALU_TEST_LLVM=${version};SALU_EXECUTABLE=${PROJECT_BINARY_DIR}/bin/salu;${arg_ENVIRONMENT}")
  endforeach()
endfunction()

# salu_add_skipped_llvm_test(<folder> <version>): a skipped test that represents the comparisons with a missing version of LLVM.
function(salu_add_skipped_llvm_test folder version)
  set(test "${SALU_TEST_PREFIX}${folder}.llvm${version}")
  add_test(NAME ${test} COMMAND "${CMAKE_COMMAND}" -E echo "skipped: LLVM ${version} is not installed (scripts/test installs it)")
  set_tests_properties(${test} PROPERTIES LABELS ${folder} SKIP_REGULAR_EXPRESSION "skipped:")
endfunction()

# salu_precompile(<target> <level>): compiles tests/precompiled.hpp once for all test programs with the same options.
function(salu_precompile target level)
  get_property(owner GLOBAL PROPERTY SALU_PRECOMPILED_${level})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/precompiled.hpp")
    set_property(GLOBAL PROPERTY SALU_PRECOMPILED_${level} ${target})
  endif()
  # ccache needs these options to cache files that use a precompiled header.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# salu_add_late_test(<folder>.<name> RUN <command>... [AFTER <test>] [NEEDS <command>...] [FILES <path>...]
#   [ENVIRONMENT <name=value>...])
# Adds a test that needs commands or files that `scripts/test --extra` may install later: ctest looks for them when it
# starts. Without them, the test does not exist. These tests start first, because some of them take long.
function(salu_add_late_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "AFTER" "RUN;NEEDS;FILES;ENVIRONMENT")
  set(test "${SALU_TEST_PREFIX}${name}")
  string(REGEX REPLACE "\\..*" "" label "${name}")
  list(TRANSFORM arg_RUN REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE run)
  list(JOIN run " " run)
  set(include_file "${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake")
  file(CONFIGURE OUTPUT "${include_file}" @ONLY CONTENT [[
foreach(command @arg_NEEDS@)
  find_program(path_of_${command} ${command} PATHS /usr/sbin)
  if(NOT path_of_${command})
    return()
  endif()
endforeach()
foreach(file @arg_FILES@)
  if(NOT EXISTS "${file}")
    return()
  endif()
endforeach()
add_test("@test@" @run@)
set_tests_properties("@test@" PROPERTIES LABELS @label@ TIMEOUT 600 COST 50 DEPENDS "@arg_AFTER@"
  ENVIRONMENT "SALU_SOURCE_DIR=@PROJECT_SOURCE_DIR@;SALU_EXECUTABLE=@PROJECT_BINARY_DIR@/bin/salu;@arg_ENVIRONMENT@")
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include_file}")
endfunction()

# salu_discover_suites(<target> <folder> TIMEOUT <seconds> [LLVM <version>...] [SLOW <suite>...] [NEEDS_LLVM <suite>...])
# Lists the suites when ctest starts, not when the program is built: a test program that cannot start fails a test then,
# instead of the build.
function(salu_discover_suites target folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TIMEOUT" "LLVM;SLOW;NEEDS_LLVM")
  set(list_file "${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake")
  set(include_file "${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake")
  file(GENERATE OUTPUT "${include_file}" CONTENT "set(cmake \"${CMAKE_COMMAND}\")
set(program \"$<TARGET_FILE:${target}>\")
set(list_file \"${list_file}\")
set(folder \"${folder}\")
set(prefix \"${SALU_TEST_PREFIX}${folder}.\")
set(timeout \"${arg_TIMEOUT}\")
set(left_out \"${SALU_TEST_LEFT_OUT}\")
set(llvm \"${arg_LLVM}\")
set(slow \"${arg_SLOW}\")
set(needs_llvm \"${arg_NEEDS_LLVM}\")
set(work_directory \"${PROJECT_SOURCE_DIR}\")
include(\"${PROJECT_SOURCE_DIR}/cmake/SaluDiscoverSuites.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include_file}")
endfunction()
