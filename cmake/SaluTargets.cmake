include(GNUInstallDirs)

# salu_compile_briskly(<target> <folder>): -O3 for all modules takes a fifth more of the time of a release build than -O2, so
# only those that execute programs have it. Modules between them and the user have -O1, which compiles in a quarter less
# time than -O2.
function(salu_compile_briskly target folder)
  set(hot_folders batch core isa)
  set(patient_folders api apps dap debug page suite)
  if(PROJECT_IS_TOP_LEVEL AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT folder IN_LIST hot_folders)
    if(folder IN_LIST patient_folders)
      target_compile_options(${target} PRIVATE -O1)
    else()
      target_compile_options(${target} PRIVATE -O2)
    endif()
  endif()
endfunction()

# salu_add_library(<folder> [DEPENDS <folder>...] [PRIVATE <target>...])
# Makes the module src/<folder> the static library salu_<folder>. DEPENDS names the modules whose headers it includes or
# whose code it calls, PRIVATE libraries of other projects. tests/unit/modules_test.py compares both with the sources. A
# folder without sources becomes an INTERFACE library.
function(salu_add_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;PRIVATE")
  set(target salu_${folder})
  list(TRANSFORM arg_DEPENDS PREPEND salu_)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")

  if(sources)
    add_library(${target} STATIC ${sources})
    # A shared library may be made of it. Nobody is to put another function in the place of one of its own, so that the
    # compiler may put functions into each other as without it.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    salu_harden(${target})
    target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:salu_options>)
    salu_compile_briskly(${target} ${folder})
    if(folder IN_LIST SALU_PLAIN_FOLDERS)
      target_compile_options(${target} PRIVATE -O0)
    elseif(SALU_BUILD_FUZZERS)
      # The fuzz targets see which way the code in here takes.
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
