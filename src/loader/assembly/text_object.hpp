#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "assembler/assembler.hpp"
#include "isa/target_id.hpp"
#include "loader/objects/built_program.hpp"
#include "loader/objects/code_input.hpp"
#include "loader/objects/kernel_code_header.hpp"

/// Assembly text that describes an object: functions, kernels, metadata.
namespace salu::loader {

/// Whether a text says of itself what only objects say: where functions are, or kernels.
bool describes_object(const assembler::Assembly& assembly);

/// What the object would tell a loader, but for its symbols. Metadata becomes the note that LLVM makes of it; rejects
/// metadata that is no YAML.
LoadedObject object_of_text(const assembler::Assembly& assembly, const CodeInput& input, const Target& target);

/// The target in the first `.amdgcn_target` or `.amd_amdgpu_isa` of a text; nothing when it has neither.
std::optional<isa::TargetId> target_said_by_text(std::string_view text);

/// The processor in it; null when the text says none, or one that is not known.
const Target* find_target_of_text(std::string_view text);

/// The headers of the kernels of a text, by name. `base`: the address of its code.
std::vector<std::pair<assembler::KernelWithHeader, KernelCodeHeader>> headers_of_text(
    const assembler::Assembly& assembly, u64 base);

/// Whether the text may have metadata of kernels.
bool may_have_kernels(const CodeInput& input);

}  // namespace salu::loader
