#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>

/// Descriptions of other compiler outputs that are often named like objects, with advice how to get an object.
namespace salu::loader {

/// Describes a file by its contents, with advice; empty for ELF files and unknown files.
std::string describe_other_file(std::string_view bytes);

/// Describes an ELF file for another machine (`e_machine`), which may contain code objects: HIP embeds them in host
/// programs.
std::string describe_other_machine(u32 machine, std::string_view bytes);

}  // namespace salu::loader
