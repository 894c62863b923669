include(GNUInstallDirs)

# salu_set_optimisation(<target> <folder>)
# Sets the optimisation level of a module in a release build. With -O3 for all modules, a build takes a fifth longer than
# with -O2, so only the modules that execute programs have -O3. Modules between these and the user have -O1, which compiles
# in three quarters of the time of -O2.
function(salu_set_optimisation target folder)
  set(fast_folders batch core isa)
  set(interactive_folders api apps dap debug page suite)
  if(PROJECT_IS_TOP_LEVEL AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT folder IN_LIST fast_folders)
    if(folder IN_LIST interactive_folders)
      target_compile_options(${target} PRIVATE -O1)
    else()
      target_compile_options(${target} PRIVATE -O2)
    endif()
  endif()
endfunction()

# salu_add_library(<folder> [DEPENDS <folder>...] [PRIVATE <target>...])
# Builds the module src/<folder> as the static library salu_<folder>. DEPENDS: the modules whose headers it includes or whose
# functions it calls. PRIVATE: libraries of other projects. tests/unit/modules_test.py compares both with the sources. A
# folder without source files becomes an INTERFACE library.
function(salu_add_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;PRIVATE")
  set(target salu_${folder})
  list(TRANSFORM arg_DEPENDS PREPEND salu_)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")

  if(sources)
    add_library(${target} STATIC ${sources})
    # The objects are also linked into the shared library. Its functions cannot be interposed, so that the compiler may inline
    # them as in a static library.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    salu_harden(${target})
    target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:salu_options>)
    salu_set_optimisation(${target} ${folder})
    if(folder IN_LIST SALU_PLAIN_FOLDERS)
      target_compile_options(${target} PRIVATE -O0)
    elseif(SALU_BUILD_FUZZERS)
      # libFuzzer is guided by the coverage of these modules.
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_DEPENDS})
    set(scope INTERFACE)
  endif()

  target_include_directories(${target} ${scope}
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>"
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_compile_features(${target} ${scope} cxx_std_20)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  add_library(salu::${folder} ALIAS ${target})
  set_property(GLOBAL APPEND PROPERTY SALU_LIBRARIES ${target})
endfunction()
