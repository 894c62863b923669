# Runs inside ctest. In: cmake, program, list_file, prefix, folder, timeout, work_directory. Asks the program for its
# suites when it is newer than the last answer, and registers one test per suite.
if(NOT EXISTS "${program}")
  add_test("${prefix}not_built" "${cmake}" -E false)
  set_tests_properties("${prefix}not_built" PROPERTIES LABELS "${folder}")
  return()
endif()

if(NOT EXISTS "${list_file}" OR "${program}" IS_NEWER_THAN "${list_file}")
  execute_process(COMMAND "${program}" --gtest_list_tests
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result WORKING_DIRECTORY "${work_directory}")
  if(NOT result EQUAL 0)
    message("${program} --gtest_list_tests: ${result}\n${errors}")
    add_test("${prefix}cannot_list" "${program}" --gtest_list_tests)
    set_tests_properties("${prefix}cannot_list" PROPERTIES LABELS "${folder}")
    return()
  endif()
  # A suite is a line at the left edge that ends with a dot, a type-parameterised one has a comment behind it.
  string(REPLACE ";" "_" output "${output}")
  string(REPLACE "[" "_" output "${output}")
  string(REPLACE "]" "_" output "${output}")
  string(REPLACE "\n" ";" lines "${output}")
  set(suites "")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "DISABLED_" AND line MATCHES "^([A-Za-z0-9_/]+)\\.( +#.*)?$")
      list(APPEND suites "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  file(WRITE "${list_file}" "set(suites ${suites})\n")
endif()

include("${list_file}")
if(NOT suites)
  add_test("${prefix}empty" "${cmake}" -E false)
  set_tests_properties("${prefix}empty" PROPERTIES LABELS "${folder}")
endif()
foreach(suite IN LISTS suites)
  string(REPLACE "/" "." name "${suite}")
  add_test("${prefix}${name}" "${program}" "--gtest_filter=${suite}.*" --gtest_brief=1)
  # A filter that selects nothing would otherwise pass.
  set_tests_properties("${prefix}${name}" PROPERTIES LABELS "${folder}" TIMEOUT "${timeout}"
    WORKING_DIRECTORY "${work_directory}" FAIL_REGULAR_EXPRESSION "0 tests from 0 test suites ran")
endforeach()
