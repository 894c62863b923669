# The packages that find_package() finds in the build for wasm32-wasi: libraries built by sysroot/ (SALU_WASM_SYSROOT),
# and headers of Debian's packages that do not depend on the machine.
set(CMAKE_PROJECT_salu_INCLUDE "${CMAKE_CURRENT_LIST_DIR}/project.cmake")

macro(salu_find_wasm_dependency method name)
  set(${name}_FOUND TRUE)
  if(NOT TARGET salu_wasm_sysroot)
    add_library(salu_wasm_sysroot INTERFACE IMPORTED)
    target_include_directories(salu_wasm_sysroot INTERFACE "${SALU_WASM_SYSROOT}/include")
    target_link_libraries(salu_wasm_sysroot INTERFACE
      "${SALU_WASM_SYSROOT}/lib/libyaml-cpp.a" "${SALU_WASM_SYSROOT}/lib/libdw.a" "${SALU_WASM_SYSROOT}/lib/libelf.a"
      "${SALU_WASM_SYSROOT}/lib/libz.a" "${SALU_WASM_SYSROOT}/lib/libc++.a")
    foreach(dependency Threads::Threads nlohmann_json::nlohmann_json yaml-cpp::yaml-cpp fmt::fmt
        salu_dep::yaml_cpp salu_dep::fmt salu_dep::elf salu_dep::dw)
      add_library(${dependency} INTERFACE IMPORTED)
      target_link_libraries(${dependency} INTERFACE salu_wasm_sysroot)
    endforeach()
    target_compile_definitions(salu_dep::fmt INTERFACE FMT_HEADER_ONLY)
  endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER salu_find_wasm_dependency SUPPORTED_METHODS FIND_PACKAGE)
