# salu_embed_files(<target> HEADER <header> NAMESPACE <namespace> <function> <file> ...)
# Adds a function to the target for each file. The header declares it; it returns the bytes of the file as a
# std::string_view.
function(salu_embed_files target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;NAMESPACE" "")
  set(pairs ${arg_UNPARSED_ARGUMENTS})
  set(script "${PROJECT_SOURCE_DIR}/cmake/SaluEmbedFile.cmake")
  while(pairs)
    list(POP_FRONT pairs name file)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
    add_custom_command(
      OUTPUT "${output}"
      COMMAND "${CMAKE_COMMAND}" "-Dinput=${file}" "-Doutput=${output}" "-Dname=${name}" "-Dheader=${arg_HEADER}"
        "-Dnamespace=${arg_NAMESPACE}" -P "${script}"
      DEPENDS "${file}" "${script}"
      COMMENT "Embedding ${file}" VERBATIM)
    set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE "${output}")
  endwhile()
endfunction()
