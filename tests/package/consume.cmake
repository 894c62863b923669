# In: build_directory, work_directory, compiler, flags, generator, version.
file(REMOVE_RECURSE "${work_directory}")

include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")

run("${CMAKE_COMMAND}" --install "${build_directory}" --prefix "${work_directory}/installed")
# A path into the source or build tree would not exist after the move of the package.
file(RENAME "${work_directory}/installed" "${work_directory}/moved")

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${work_directory}/build" -G "${generator}"
  "-DCMAKE_PREFIX_PATH=${work_directory}/moved" "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_CXX_FLAGS=${flags}"
  "-DSALU_EXPECTED_VERSION=${version}")
run("${CMAKE_COMMAND}" --build "${work_directory}/build")
run("${work_directory}/build/consumer")
message("${output}")

file(GLOB_RECURSE exported "${work_directory}/moved/*.cmake")
if(NOT exported)
  message(FATAL_ERROR "no package configuration below ${work_directory}/moved")
endif()
get_filename_component(source_directory "${CMAKE_CURRENT_LIST_DIR}/../.." REALPATH)
foreach(file IN LISTS exported)
  file(READ "${file}" text)
  foreach(directory "${source_directory}" "${build_directory}")
    string(FIND "${text}" "${directory}/" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} mentions ${directory}")
    endif()
  endforeach()
endforeach()

run("${work_directory}/moved/bin/salu" --version)
if(NOT output MATCHES "${version}")
  message(FATAL_ERROR "salu --version prints '${output}', not ${version}")
endif()
