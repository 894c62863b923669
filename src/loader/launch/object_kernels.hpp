#pragma once

#include <salu/target.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/code_input.hpp"
#include "loader/objects/kernel_metadata.hpp"

/// Which kernels an object has, whichever version of code object it is.
namespace salu::loader {

/// The kernels that an object for amdhsa or Mesa lists in its metadata, and those that have nothing but a header in
/// front of their code; none where it has neither.
std::vector<KernelMetadata> kernels_of_object(std::string_view bytes, const std::string& file);

/// The same for a block of code, which may be text with metadata.
std::vector<KernelMetadata> kernels_of_input(const CodeInput& input, const Target& target);

}  // namespace salu::loader
