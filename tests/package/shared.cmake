# Makes one shared library of all installed static ones and runs a program with it.
# In: work_directory, compiler, flags, generator.
include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")
set(build "${work_directory}/shared_build")
file(REMOVE_RECURSE "${build}")

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/shared" -B "${build}" -G "${generator}"
  "-DCMAKE_PREFIX_PATH=${work_directory}/moved" "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_CXX_FLAGS=${flags}")
run("${CMAKE_COMMAND}" --build "${build}")
run("${build}/caller")
expect_printed("s0 = 42")
