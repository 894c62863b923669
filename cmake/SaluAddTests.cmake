# salu_add_tests(<name> PATHS <file or folder>... [SHARDS <n>] [ARGUMENTS <argument>...] [LABELS <label>...]
#                [TIMEOUT <seconds>])
#
# Adds ctests that run scenarios. Without SHARDS, each scenario file is a test, `<name>.<path>`; a folder means all .yaml
# and .yml files below it, and a build detects new and removed files. With SHARDS, n tests `<name>.1of<n>` and so on share
# the scenarios and the rows of tables: this starts fewer processes for many files, and runs parts of a long table in
# parallel.
#
#   PATHS       relative to the current source folder. Files in the build folder may be created by the build.
#   ARGUMENTS   are passed to `salu test`, which runs in the current binary folder: `--junit FILE` is relative to it
#   LABELS      labels of the tests (default: <name>)
#   TIMEOUT     limit for each test (default: that of ctest)
cmake_policy(PUSH)
cmake_policy(VERSION 3.25)

function(salu_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHARDS;TIMEOUT" "PATHS;ARGUMENTS;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "salu_add_tests(${name}): cannot use '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'; "
      "expected PATHS, SHARDS, ARGUMENTS, LABELS, TIMEOUT and their values")
  endif()
  if(NOT arg_PATHS)
    message(FATAL_ERROR "salu_add_tests(${name}): PATHS is missing; expected scenario files or folders")
  endif()
  if(NOT TARGET salu::cli)
    message(FATAL_ERROR "salu_add_tests(${name}): the program salu (target salu::cli) is not installed")
  endif()
  if(NOT DEFINED arg_LABELS)
    set(arg_LABELS "${name}")
  endif()

  set(files "")
  set(paths "")
  foreach(path IN LISTS arg_PATHS)
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${path}" NORMALIZE is_built)
    list(APPEND paths "${path}")
    if(IS_DIRECTORY "${path}")
      file(GLOB_RECURSE found FOLLOW_SYMLINKS LIST_DIRECTORIES false CONFIGURE_DEPENDS "${path}/*.yaml" "${path}/*.yml")
      if(NOT found)
        message(FATAL_ERROR "salu_add_tests(${name}): ${path} contains no .yaml files")
      endif()
      list(APPEND files ${found})
    elseif(EXISTS "${path}" OR is_built)
      list(APPEND files "${path}")
    else()
      message(FATAL_ERROR "salu_add_tests(${name}): ${path} does not exist")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES files)

  set(tests "")
  if(arg_SHARDS)
    foreach(shard RANGE 1 ${arg_SHARDS})
      set(test "${name}.${shard}of${arg_SHARDS}")
      add_test(NAME "${test}" COMMAND salu::cli test --jobs 1 --shard ${shard}/${arg_SHARDS} ${arg_ARGUMENTS} ${paths}
        WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
      list(APPEND tests "${test}")
    endforeach()
  else()
    foreach(file IN LISTS files)
      cmake_path(IS_PREFIX CMAKE_CURRENT_BINARY_DIR "${file}" NORMALIZE is_built)
      if(is_built)
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" OUTPUT_VARIABLE relative)
      else()
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE relative)
      endif()
      set(test "${name}.${relative}")
      # --shard 1/1 overrides variables of the environment: ctest itself may run as a shard.
      add_test(NAME "${test}" COMMAND salu::cli test --jobs 1 --shard 1/1 ${arg_ARGUMENTS} "${file}"
        WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
      list(APPEND tests "${test}")
    endforeach()
  endif()
  set_tests_properties(${tests} PROPERTIES LABELS "${arg_LABELS}")
  if(arg_TIMEOUT)
    set_tests_properties(${tests} PROPERTIES TIMEOUT "${arg_TIMEOUT}")
  endif()
endfunction()

cmake_policy(POP)
