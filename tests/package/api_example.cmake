# Builds examples/api with the installed package and runs it. In: source_directory, work_directory, compiler, flags, generator.
include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")
set(examples "${source_directory}/examples")
set(build "${work_directory}/api")
set(api "${build}/api" "${source_directory}/programs/gcd.yaml" "${examples}/api/count.s")
file(REMOVE_RECURSE "${build}")

run("${CMAKE_COMMAND}" -S "${examples}/api" -B "${build}" -G "${generator}"
  "-DCMAKE_PREFIX_PATH=${work_directory}/moved" "-DCMAKE_CXX_COMPILER=${compiler}"
  "-DCMAKE_CXX_FLAGS=${flags} -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror")
run("${CMAKE_COMMAND}" --build "${build}")

run(${api} "${examples}/api/count_loop.s" "${examples}/ctest/scenarios")
expect_printed("greatest common divisor on gfx803: end_program" "expectations hold" "3 passed, 0 failed, 0 not loaded"
  "count_loop.s agree on 1000 inputs" "0x00ff00ff in memory has 16 bits set" "gcn1.0: s0 to s103" "cdna4: s0 to s101")
run("${build}/machine" "${source_directory}/programs/gcd.yaml" "${source_directory}/programs/compiled/isqrt.o")
expect_printed("gcd(48, 18) = 6" "isqrt(1000000007) = 31622" "ended at position 69" "back at position 64")
run_failing("count_wrong.s differ for s1 = 2147483648: s0 = 1 s0 = 0" ${api} "${examples}/api/count_wrong.s" "${examples}/ctest/scenarios")
