#pragma once

#include <salu/error.hpp>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

/// Metadata of kernels in YAML: the text of `.amdgpu_metadata`, and the notes of code object version 2.
namespace salu::loader {

/// Parses a YAML document, with plain scalars read as in LLVM: as numbers and truth values if they look like these.
/// Null for an empty document. The message of an error continues a sentence about the metadata: "it is not valid YAML:
/// ...".
Result<nlohmann::json> parse_metadata_yaml(std::string_view text, const std::string& file);

/// Converts metadata of version 2 to version 3 (LLVM AMDGPUUsage, code object metadata V2 and V3). Invalid entries are
/// omitted, so that the reader of version 3 reports them as missing.
nlohmann::json upgrade_metadata(const nlohmann::json& version2);

}  // namespace salu::loader
