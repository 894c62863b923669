# A project that contains salu, by FetchContent of the archive from sources.cmake, which is tested by this build, too.
# The libraries that only the program needs are missing, and the project enables warnings that salu's own build does
# not. In: source_directory, work_directory, compiler, flags, generator, version.
include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")
set(build "${work_directory}/subproject_build")
file(REMOVE_RECURSE "${build}")

# libedit is only found with pkg-config.
find_program(pkg_config NAMES pkg-config pkgconf REQUIRED)
set(no_libedit "${work_directory}/no_libedit/pkg-config")
file(WRITE "${no_libedit}" "#!/bin/sh
case \"$*\" in *libedit*) exit 1 ;; esac
exec '${pkg_config}' \"$@\"
")
file(CHMOD "${no_libedit}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/subproject" -G "${generator}"
  "-DSALU_SOURCE=${source_directory}" "-DCMAKE_CXX_COMPILER=${compiler}" -DCMAKE_BUILD_TYPE=Debug
  "-DCMAKE_CXX_FLAGS=${flags} -O0 -Wpadded" "-DPKG_CONFIG_EXECUTABLE=${no_libedit}")
run(${configure} -B "${build}" "-DSALU_ARCHIVE=${work_directory}/salu-${version}.tar.gz" -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
  -DCMAKE_DISABLE_FIND_PACKAGE_spdlog=ON -DCMAKE_UNITY_BUILD=ON)
run("${CMAKE_COMMAND}" --build "${build}" --target parent)
expect_printed("-Wpadded")
run("${build}/parent")
expect_printed("fiji")

# The program cannot be built without them.
run_failing("CLI11" ${configure} -B "${build}_cli11" -DSALU_BUILD_APPS=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON)
run_failing("libedit" ${configure} -B "${build}_libedit" -DSALU_BUILD_APPS=ON)
run_failing("SALU_BUILD_TESTS needs the program" ${configure} -B "${build}_tests" -DSALU_BUILD_TESTS=ON)
