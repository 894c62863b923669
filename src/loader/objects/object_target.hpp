#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string>

#include "loader/objects/elf_image.hpp"

/// The processor and the target features of an object.
namespace salu::loader {

/// Returns the processor in e_flags; for objects of version 2, the processor in a note with the ISA version or in the
/// headers of kernels. Null if it is not specified, as in objects that `llc` makes without -mcpu. Rejects processors
/// other than gfx6 to gfx9. `file` is for messages.
const Target* find_object_target(const ElfImage& image, const std::string& file);

/// True if an object is compiled for replayed memory accesses (XNACK) or for both modes; empty if unknown.
std::optional<bool> xnack_of(const ElfImage& image);

/// The setting of SRAM-ECC: empty for `any`, and if the flags do not specify it. `version` is that of the code object,
/// 0 for systems other than amdhsa.
std::optional<bool> sramecc_of(u32 e_flags, u32 version);

}  // namespace salu::loader
