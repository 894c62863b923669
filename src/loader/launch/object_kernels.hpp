#pragma once

#include <salu/target.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/code_input.hpp"
#include "loader/objects/kernel_metadata.hpp"

/// The kernels of an object of any code object version.
namespace salu::loader {

/// Returns the kernels in the metadata of an object for amdhsa or Mesa, and kernels that have only a header before
/// their code.
std::vector<KernelMetadata> kernels_of_object(std::string_view bytes, const std::string& file);

/// Returns the kernels of a block of code, which may be text with metadata.
std::vector<KernelMetadata> kernels_of_input(const CodeInput& input, const Target& target);

}  // namespace salu::loader
