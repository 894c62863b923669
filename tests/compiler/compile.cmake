# Compiles the functions for one configuration. In: llc, opt (programs), module (IR; next to it MODULE.lane.ll), triple,
# processor, flags and opt_flags ('|' between options; without opt_flags, opt does not run), lld (program; without it,
# nothing is linked), out (path without extension). Out:
#   OUT.o    the object     OUT.so   the object, linked
# A function whose result is in vector registers, which LLVM refuses to return in SGPRs, is taken from MODULE.lane.ll. It
# is an error if that does not compile either.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" flags "${flags}")
string(REPLACE "|" ";" opt_flags "${opt_flags}")

# Splits a module at a function: the part before it, the function with its helpers (`name.helper`), and the part after
# it.
function(cut_function text name before found after)
  if(NOT text MATCHES "define [^\n]* @${name}\\(")
    message(FATAL_ERROR "function ${name} does not exist")
  endif()
  string(FIND "${text}" "${CMAKE_MATCH_0}" start)
  string(SUBSTRING "${text}" 0 ${start} front)
  string(SUBSTRING "${text}" ${start} -1 rest)
  string(FIND "${rest}" "\n}\n" end)
  math(EXPR end "${end} + 3")
  string(SUBSTRING "${rest}" 0 ${end} body)
  string(SUBSTRING "${rest}" ${end} -1 rest)
  set(${before} "${front}" PARENT_SCOPE)
  set(${found} "${body}" PARENT_SCOPE)
  set(${after} "${rest}" PARENT_SCOPE)
endfunction()

file(READ "${module}" text)
string(REGEX REPLACE "\\.ll$" ".lane.ll" lane_module "${module}")
file(READ "${lane_module}" lane_text)
string(REGEX MATCHALL "\ndeclare [^\n]*readfirstlane[^\n]*" declarations "${lane_text}")

set(lane "")
while(TRUE)
  file(WRITE "${out}.ll" "${text}")
  set(input "${out}.ll")
  if(opt_flags)
    set(input "${out}.bc")
    execute_process(COMMAND "${opt}" -mtriple=${triple} -mcpu=${processor} ${opt_flags} "${out}.ll" -o "${input}"
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
  execute_process(COMMAND "${llc}" -mtriple=${triple} -mcpu=${processor} ${flags} -filetype=obj "${input}" -o "${out}.o"
    RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(result EQUAL 0)
    break()
  endif()
  # One error makes the whole module fail. Some errors do not name the function, if GlobalISel falls back to
  # SelectionDAG.
  foreach(sign "in function" "fallback path for")
    string(REGEX MATCHALL "${sign}[ \n]+[A-Za-z0-9_]+" wrong "${errors}")
    list(TRANSFORM wrong REPLACE ".*[ \n]" "")
    if(sign STREQUAL "fallback path for")
      list(REMOVE_ITEM wrong ${lane})
    endif()
    if(wrong)
      break()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES wrong)
  if(NOT wrong)
    message(FATAL_ERROR "llc failed (${result}) without naming a function: ${processor} ${flags} ${out}.ll\n${errors}")
  endif()
  foreach(name IN LISTS wrong)
    if(name IN_LIST lane)
      message(FATAL_ERROR "llc cannot compile ${name}: ${processor} ${flags} ${out}.ll\n${errors}")
    endif()
    cut_function("${text}" ${name} before function after)
    if(NOT lane)
      string(APPEND after "${declarations}\n")
    endif()
    list(APPEND lane ${name})
    cut_function("${lane_text}" ${name} lane_before function lane_after)
    set(text "${before}${function}${after}")
  endforeach()
endwhile()

if(lld)
  execute_process(COMMAND "${lld}" -shared "${out}.o" -o "${out}.so" COMMAND_ERROR_IS_FATAL ANY)
endif()
