# What a fault in memory comes to: the program reads files from anywhere, so a write behind the end of something is to
# end it where that is seen, and not to run what the file says. salu_harden(<target>) does it for the code of a target.
# Tests are left out: they are not optimised, which _FORTIFY_SOURCE needs. The sanitizers know more, and look at the same
# functions.
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
