# Configures, builds and tests a copy of examples/ctest with the installed package, changes it, and misuses its function.
# In: source_directory, work_directory, generator.
include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")
set(source "${work_directory}/ctest_example")
set(build "${source}/build")
set(ctest "${CMAKE_CTEST_COMMAND}" --test-dir "${build}")
set(configure "${CMAKE_COMMAND}" -G "${generator}" "-DCMAKE_PREFIX_PATH=${work_directory}/moved")
file(REMOVE_RECURSE "${source}")
file(COPY "${source_directory}/examples/ctest/" DESTINATION "${source}")

run(${configure} -S "${source}" -B "${build}")
run("${CMAKE_COMMAND}" --build "${build}")
# Variables of a job array around ctest must not exclude tests.
run("${CMAKE_COMMAND}" -E env TEST_TOTAL_SHARDS=2 TEST_SHARD_INDEX=1 ${ctest} -V)
expect_printed("100% tests passed" "scalar.scenarios/absolute.yaml" "scalar.scenarios/tables/leading_zeros.yaml"
  "2 tests: 2 passed" "1 test (33 runs): 1 passed"
  # The rows of the table, split into two tests.
  "table.1of2" "table.2of2" "1 test (17 runs): 1 passed; shard 1 of 2" "1 test (16 runs): 1 passed; shard 2 of 2")
find_program(llc NAMES llc-19 llc)
if(llc)
  expect_printed("compiled.align.yaml" "1 test (4 runs): 1 passed")
endif()
run(${ctest} -N -L quick)
expect_printed("Total Tests: 2")

# A build notices new and removed files; a wrong expectation fails.
file(RENAME "${source}/scenarios/absolute.yaml" "${source}/scenarios/renamed.yml")
file(READ "${source}/scenarios/renamed.yml" text)
string(REPLACE "s0: 12," "s0: 13," text "${text}")
file(WRITE "${source}/scenarios/renamed.yml" "${text}")
run("${CMAKE_COMMAND}" --build "${build}")
run_failing("(Failed)" ${ctest} -L scalar)
run_failing("s0: expected 0x0000000d, got 0x0000000c" ${ctest} -V -R renamed.yml)
run(${ctest} -L scalar -E renamed.yml)
expect_printed("100% tests passed, 0 tests failed out of 1")

# misuse(<text> <argument>...): the function rejects these arguments with a message that contains <text>.
set(misused "${work_directory}/misused")
file(REMOVE_RECURSE "${misused}")
file(MAKE_DIRECTORY "${misused}/empty")
function(misuse text)
  list(JOIN ARGN " " arguments)
  file(WRITE "${misused}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(misused LANGUAGES NONE)
find_package(salu REQUIRED COMPONENTS cli)
salu_add_tests(${arguments})
")
  run_failing("${text}" ${configure} -S "${misused}" -B "${misused}/build")
endfunction()
misuse("PATHS is missing" a)
misuse("${misused}/gone.yaml does not exist" a PATHS gone.yaml)
misuse("${misused}/empty contains no .yaml files" a PATHS empty)
misuse("cannot use 'SHARD;3'" a SHARD 3 PATHS empty)
