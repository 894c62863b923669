# External libraries that the static libraries of salu link: a target with a fixed name for each. This file is installed
# next to saluConfig.cmake, because programs that link a static library have to find its dependencies as well.
include(CMakeFindDependencyMacro)

find_dependency(Threads)
find_dependency(yaml-cpp)
find_dependency(fmt)
find_dependency(PkgConfig)

if(NOT TARGET salu_dep::yaml_cpp)
  add_library(salu_dep::yaml_cpp INTERFACE IMPORTED)
  # Up to yaml-cpp 0.7, the target has no namespace.
  if(TARGET yaml-cpp::yaml-cpp)
    target_link_libraries(salu_dep::yaml_cpp INTERFACE yaml-cpp::yaml-cpp)
  else()
    target_link_libraries(salu_dep::yaml_cpp INTERFACE yaml-cpp)
  endif()
endif()

if(NOT TARGET salu_dep::fmt)
  add_library(salu_dep::fmt INTERFACE IMPORTED)
  target_link_libraries(salu_dep::fmt INTERFACE fmt::fmt)
endif()

if(NOT TARGET salu_dep::elf)
  pkg_check_modules(SALU_LIBELF REQUIRED QUIET IMPORTED_TARGET libelf)
  add_library(salu_dep::elf INTERFACE IMPORTED)
  target_link_libraries(salu_dep::elf INTERFACE PkgConfig::SALU_LIBELF)
endif()

if(NOT TARGET salu_dep::dw)
  pkg_check_modules(SALU_LIBDW REQUIRED QUIET IMPORTED_TARGET libdw)
  add_library(salu_dep::dw INTERFACE IMPORTED)
  target_link_libraries(salu_dep::dw INTERFACE PkgConfig::SALU_LIBDW)
endif()
