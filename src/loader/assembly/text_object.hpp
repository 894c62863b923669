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

/// True if a text has directives that define functions or kernels, as in an object.
bool describes_object(const assembler::Assembly& assembly);

/// Returns the properties of the object that the text describes, except its symbols. Metadata is converted to a note as
/// LLVM does; metadata that is not YAML is rejected.
LoadedObject object_of_text(const assembler::Assembly& assembly, const CodeInput& input, const Target& target);

/// Returns the target in the first `.amdgcn_target` or `.amd_amdgpu_isa` of a text; nothing if it has neither.
std::optional<isa::TargetId> target_said_by_text(std::string_view text);

/// Returns the processor of this target; null if the text has no target, or an unknown one.
const Target* find_target_of_text(std::string_view text);

/// Returns the headers of the kernels of a text, by name. `base` is the address of its code.
std::vector<std::pair<assembler::KernelWithHeader, KernelCodeHeader>> headers_of_text(
    const assembler::Assembly& assembly, u64 base);

/// True if the text may have metadata of kernels.
bool may_have_kernels(const CodeInput& input);

}  // namespace salu::loader
