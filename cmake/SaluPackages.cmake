# cpack makes a Debian package with the files that `cmake --install` installs, and, with `cpack --config
# CPackSourceConfig.cmake`, an archive of the sources.
set(SALU_PACKAGE_MAINTAINER "The salu authors <maintainers@salu.invalid>" CACHE STRING
  "Maintainer of the Debian package: name and address")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The salu authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "functional emulator of the scalar unit of AMD's GCN GPUs")
set(CPACK_PACKAGE_DESCRIPTION "salu runs the scalar half of AMD GCN and CDNA programs without a GPU: it
assembles, disassembles, runs, traces, debugs forwards and backwards, tests,
compares and proves what compilers make.
.
This package has the program, the library for C (libsalu.so.0) and what is
needed to build with it and with the C++ library, manual pages, schemas,
examples and documents.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${SALU_PACKAGE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# shlibs: the dependency of packages that link the shared library. triggers: runs ldconfig.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/debian/shlibs"
  "${PROJECT_SOURCE_DIR}/cmake/debian/triggers")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# The libraries are needed to link the static libraries of salu; the programs are optional and used if installed.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "libdw-dev, libelf-dev, libfmt-dev, libyaml-cpp-dev, cmake, pkg-config, llvm-19, z3, cvc5")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/SaluDebianFiles.cmake")

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME "salu-${PROJECT_VERSION}")
# The entries of .gitignore.
set(CPACK_SOURCE_IGNORE_FILES "/[.]git(/|$)" "^${PROJECT_SOURCE_DIR}/build/" "^${PROJECT_SOURCE_DIR}/bindings/python/build/"
  "/examples/[^/]*/build/" /examples/slurm/out/ /Output/ /__pycache__/ /node_modules/ "/[.](cache|vscode|idea|[a-z]+_cache)/"
  "[.]egg-info/" "/(CMakeUserPresets|compile_commands)[.]json$" "[.](pyc|profraw|vsix)$" "/[.]lit_test_times[.]txt$")
set(CPACK_SALU_SOURCE_DIRECTORY "${PROJECT_SOURCE_DIR}")
include(CPack)
