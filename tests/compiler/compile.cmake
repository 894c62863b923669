# Compiles the functions for one configuration. In: llc, opt, llvm_extract (programs), module (IR), triple, processor,
# flags and opt_flags ('|' between options; without opt_flags, opt does not run), lld (program; without it, nothing is
# linked), out (path without extension). Out:
#   OUT.o    the object     OUT.s    its assembly text     OUT.so   the object, linked
#   OUT.log  what LLVM could not compile this way: `fallback NAME` where GlobalISel gave up, `failed NAME` after an error
#            (a value in vector registers cannot be returned in SGPRs)
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" flags "${flags}")
string(REPLACE "|" ";" opt_flags "${opt_flags}")
set(llc_command "${llc}" -mtriple=${triple} -mcpu=${processor} ${flags})

if(opt_flags)
  execute_process(COMMAND "${opt}" -mtriple=${triple} -mcpu=${processor} ${opt_flags} "${module}" -o "${out}.bc"
    COMMAND_ERROR_IS_FATAL ANY)
  set(module "${out}.bc")
endif()

# One error spoils the whole module: again without the functions that LLVM named.
set(whole_module "${module}")
set(failed "")
set(fallback "")
set(left_out "")
while(TRUE)
  execute_process(COMMAND ${llc_command} "${module}" -o "${out}.s" RESULT_VARIABLE result ERROR_VARIABLE errors)
  string(REGEX MATCHALL "in function [A-Za-z0-9_]+" found "${errors}")
  list(APPEND failed ${found})
  string(REGEX MATCHALL "fallback path for [A-Za-z0-9_]+" found "${errors}")
  list(APPEND fallback ${found})
  if(result EQUAL 0)
    break()
  endif()
  set(previous "${left_out}")
  set(left_out ${failed} ${fallback})
  # A function goes together with its helpers, `name.helper`.
  list(TRANSFORM left_out REPLACE ".* (.*)" "--rfunc=^\\1([.].*)?$")
  list(REMOVE_DUPLICATES left_out)
  if(left_out STREQUAL previous)
    message(FATAL_ERROR "llc failed (${result}) without naming a function: ${llc_command} ${module}\n${errors}")
  endif()
  set(module "${out}.compiled.bc")
  execute_process(COMMAND "${llvm_extract}" --delete ${left_out} "${whole_module}" -o "${module}" COMMAND_ERROR_IS_FATAL ANY)
endwhile()

execute_process(COMMAND ${llc_command} -filetype=obj "${module}" -o "${out}.o" ERROR_VARIABLE errors COMMAND_ERROR_IS_FATAL ANY)

if(lld)
  execute_process(COMMAND "${lld}" -shared "${out}.o" -o "${out}.so" COMMAND_ERROR_IS_FATAL ANY)
endif()

list(TRANSFORM failed REPLACE ".* " "failed ")
list(TRANSFORM fallback REPLACE ".* " "fallback ")
set(log ${fallback} ${failed})
list(REMOVE_DUPLICATES log)
list(JOIN log "\n" log)
file(WRITE "${out}.log" "${log}\n")
