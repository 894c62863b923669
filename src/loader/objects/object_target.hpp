#pragma once

#include <salu/target.hpp>

#include <string>

#include "loader/objects/elf_image.hpp"

/// Which processor an object is for.
namespace salu::loader {

/// The processor that e_flags names, or what objects of version 2 have beside them: a note with the version of the
/// ISA, or the headers of the kernels. Null when none of them says it, as in what `llc` makes without -mcpu. Rejects
/// a processor that is not of gfx6 to gfx9, by its name. `file` is for messages.
const Target* find_object_target(const ElfImage& image, const std::string& file);

}  // namespace salu::loader
