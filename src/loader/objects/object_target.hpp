#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string>

#include "loader/objects/elf_image.hpp"

/// Which processor an object is for.
namespace salu::loader {

/// The processor that e_flags names, or what objects of version 2 have beside them: a note with the version of the
/// ISA, or the headers of the kernels. Null when none of them says it, as in what `llc` makes without -mcpu. Rejects
/// a processor that is not of gfx6 to gfx9, by its name. `file` is for messages.
const Target* find_object_target(const ElfImage& image, const std::string& file);

/// Whether an object is made for memory accesses that are replayed (XNACK), or for both; nothing where it does not say.
std::optional<bool> xnack_of(const ElfImage& image);

/// The same of SRAM-ECC: nothing for objects that say `any`, and where the flags do not say. `version`: of the code
/// object, 0 for systems other than amdhsa.
std::optional<bool> sramecc_of(u32 e_flags, u32 version);

}  // namespace salu::loader
