# The test programs of all folders with what they need, and no more: the libraries and the program that none of them uses
# are left out.
add_custom_target(salu_tests)

# salu_add_test_folder(<folder> [TIMEOUT <seconds>] [LIBRARIES <folder of src>...] [OPTIMISE])
# All .cpp files below tests/<folder> become the one executable test_<folder>, and each of its suites becomes the ctest
# <folder>.<suite>: finer than one test a program, and without one start-up per test where a suite has thousands.
# tests/<folder>/*_test.py and *_test.sh become ctests of their own. All carry the folder's name as label. With LIBRARIES
# these are linked, and the program salu is not needed; without, all are, and it is. OPTIMISE: a release build optimises
# the tests a little.
function(salu_add_test_folder folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISE" "TIMEOUT" "LIBRARIES")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)
    # All of the random input under a sanitizer takes its time.
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
    if(arg_OPTIMISE AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT SALU_SANITIZE)
      target_compile_options(${target} PRIVATE -O1)
    endif()
    add_dependencies(salu_tests ${target})
    if(TARGET salu AND NOT arg_LIBRARIES)
      add_dependencies(${target} salu)
    endif()
    salu_discover_suites(${target} ${folder} ${arg_TIMEOUT})
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
    add_test(NAME ${test} COMMAND ${interpreter} "${script}")
    set_tests_properties(${test} PROPERTIES LABELS ${folder} TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77
      ENVIRONMENT "SALU_SOURCE_DIR=${PROJECT_SOURCE_DIR};SALU_EXECUTABLE=${PROJECT_BINARY_DIR}/bin/salu")
  endforeach()
endfunction()

# salu_add_late_test(<folder>.<name> RUN <command>... [NEEDS <command>...] [FILES <path>...] [ENVIRONMENT <name=value>...])
# A test whose needs `scripts/test --extra` may install later: they are looked for when ctest starts, not when the build
# is configured. It is labelled with the folder's name, and among the first to start: those that need most take longest.
function(salu_add_late_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "RUN;NEEDS;FILES;ENVIRONMENT")
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
set_tests_properties("@test@" PROPERTIES LABELS @label@ TIMEOUT 600 COST 50
  ENVIRONMENT "SALU_SOURCE_DIR=@PROJECT_SOURCE_DIR@;SALU_EXECUTABLE=@PROJECT_BINARY_DIR@/bin/salu;@arg_ENVIRONMENT@")
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include_file}")
endfunction()

# Lists the suites when ctest starts, not when the program is built: a test program that cannot start fails a test then,
# instead of the build.
function(salu_discover_suites target folder timeout)
  set(list_file "${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake")
  set(include_file "${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake")
  file(GENERATE OUTPUT "${include_file}" CONTENT "set(cmake \"${CMAKE_COMMAND}\")
set(program \"$<TARGET_FILE:${target}>\")
set(list_file \"${list_file}\")
set(folder \"${folder}\")
set(prefix \"${SALU_TEST_PREFIX}${folder}.\")
set(timeout \"${timeout}\")
set(left_out \"${SALU_TEST_LEFT_OUT}\")
set(work_directory \"${PROJECT_SOURCE_DIR}\")
include(\"${PROJECT_SOURCE_DIR}/cmake/SaluDiscoverSuites.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include_file}")
endfunction()
