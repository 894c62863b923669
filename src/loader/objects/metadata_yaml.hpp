#pragma once

#include <salu/error.hpp>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

/// Metadata of kernels that is written as YAML: what `.amdgpu_metadata` holds, and the notes of code object version 2.
namespace salu::loader {

/// The value of one YAML document, its plain scalars read as LLVM reads them: numbers and truth values where they look
/// like such. Null for an empty one. The message of an error says of the metadata what is wrong: "it is no YAML: ...".
Result<nlohmann::json> parse_metadata_yaml(std::string_view text, const std::string& file);

/// Metadata of version 2 in the shape of version 3 (LLVM AMDGPUUsage, code object metadata V2 and V3). What is not as
/// it should be is left out, for the reader of version 3 to miss.
nlohmann::json upgrade_metadata(const nlohmann::json& version2);

}  // namespace salu::loader
