# Writes a C++ file with a function that returns the bytes of a file (SaluEmbedFiles.cmake).
# In: input, output, name, header, namespace.
file(READ "${input}" bytes HEX)
string(REGEX REPLACE "(................................................................)" "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
file(WRITE "${output}" "#include \"${header}\"

namespace ${namespace} {
namespace {

constexpr unsigned char bytes[] = {
    ${bytes}
};

}  // namespace

std::string_view ${name}() { return {reinterpret_cast<const char*>(bytes), sizeof bytes}; }

}  // namespace ${namespace}
")
