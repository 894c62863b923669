#pragma once

#include <salu/integer.hpp>

#include <string>
#include <string_view>

/// Files that compilers write and name like objects, which are none: what they are, and how to get at the object.
namespace salu::loader {

/// What a file of these contents is and what to do with it; empty for an ELF file, and for what is not known.
std::string describe_other_file(std::string_view bytes);

/// The same for an ELF file for another machine (`e_machine`), which may have code objects in it, as HIP puts them into
/// what runs on the host.
std::string describe_other_machine(u32 machine, std::string_view bytes);

}  // namespace salu::loader
