# Shared by the scripts in this folder.

# run(<command> <argument>...): sets `output` to the printed text; ends the test if the command fails.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nexited with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# run_failing(<text> <command> <argument>...): the same for a command that must fail and print this text.
function(run_failing text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  list(JOIN ARGN " " command)
  # CMake breaks the lines of its messages.
  string(REGEX REPLACE "[ \n]+" " " words "${output}")
  string(FIND "${words}" "${text}" position)
  if(result EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "${command}\nexited with ${result}, expected a failure that says '${text}':\n${output}")
  endif()
endfunction()

# expect_printed(<text>...): `output` contains each text.
function(expect_printed)
  foreach(text IN LISTS ARGN)
    string(FIND "${output}" "${text}" position)
    if(position EQUAL -1)
      message(FATAL_ERROR "expected '${text}' in:\n${output}")
    endif()
  endforeach()
endfunction()
