# salu_harden(<target>) makes memory errors of a target harder to exploit: the program reads files of unknown origin, so a
# write beyond the end of a buffer should end the program instead of executing data of the file. Tests are not hardened:
# they are not optimised, which _FORTIFY_SOURCE requires. The sanitizers detect more in the same functions.
option(SALU_HARDEN "Stack protector, checked library calls, and a program whose tables are read-only" ON)
if(SALU_SANITIZE OR SALU_COVERAGE)
  set(SALU_HARDEN OFF)
endif()

function(salu_harden target)
  if(NOT SALU_HARDEN)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector-strong
    $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=3>)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    include(CheckPIESupported)
    check_pie_supported(LANGUAGES CXX)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_options(${target} PRIVATE -Wl,-z,relro -Wl,-z,now)
  endif()
endfunction()
