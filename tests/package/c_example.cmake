# Builds examples/c with the installed shared library, by CMake and by pkg-config, and runs both.
# In: source_directory, work_directory, c_compiler, flags, generator.
include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")
set(example "${source_directory}/examples/c")
set(scenario "${source_directory}/programs/fork_join.yaml")
set(build "${work_directory}/c")
set(strict "-pedantic -Wall -Wextra -Werror")
file(REMOVE_RECURSE "${build}")

# C++ is not required: neither a compiler nor the dependencies of the static libraries.
run("${CMAKE_COMMAND}" -S "${example}" -B "${build}" -G "${generator}" "-DCMAKE_PREFIX_PATH=${work_directory}/moved"
  "-DCMAKE_C_COMPILER=${c_compiler}" "-DCMAKE_C_FLAGS=${flags} ${strict}" -DCMAKE_DISABLE_FIND_PACKAGE_yaml-cpp=ON
  -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON)
run("${CMAKE_COMMAND}" --build "${build}")
run("${build}/steps" "${scenario}")
expect_printed("end_program after 17 steps, 0 expectations failed" "1000000 of 1000000 sums are right")
# Back through the forks: all lanes, those of `else`, the odd and the even ones of `then`, `then`, all of them.
string(REPEAT "#" 64 all)
string(REPEAT "#" 48 last_48)
string(REPEAT "." 48 no_48)
string(REPEAT "#" 16 first_16)
string(REPEAT "." 16 no_16)
string(REPEAT ".#" 8 odd)
string(REPEAT "#." 8 even)
expect_printed(" 16  ${all}\n" " 15  ${no_16}${last_48}\n" " 11  ${odd}${no_48}\n" "  7  ${even}${no_48}\n"
  "  5  ${first_16}${no_48}\n" "  2  ${all}\n" "  0  ${all}\n")

file(GLOB_RECURSE file_of_pkg_config "${work_directory}/moved/*/salu.pc")
get_filename_component(folder "${file_of_pkg_config}" DIRECTORY)
get_filename_component(libraries "${folder}" DIRECTORY)
find_program(pkg_config NAMES pkg-config pkgconf REQUIRED)
run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${folder}" "${pkg_config}" --cflags --libs salu)
string(STRIP "${output}" options)
separate_arguments(options UNIX_COMMAND "${options}")
separate_arguments(flags UNIX_COMMAND "${flags} ${strict}")
run("${c_compiler}" -std=c99 ${flags} "${example}/main.c" -o "${build}/by_pkg_config" ${options} "-Wl,-rpath,${libraries}")
run("${build}/by_pkg_config" "${scenario}")
expect_printed("1000000 of 1000000 sums are right")
