#pragma once

#include <string>
#include <vector>

#include "loader/objects/kernel_metadata.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// The arguments of a kernel as users specify them.
namespace salu::loader {

/// Returns the names of the arguments in `args:`: the argument's own name; for hidden arguments the name of the kind
/// (`hidden_heap_v1`); and for arguments without a unique name `arg0`, `arg1`, ... by the position among the arguments
/// that are not hidden.
std::vector<std::string> argument_names(const KernelMetadata& kernel);

/// Returns the arguments of a kernel whose object does not describe them. `args:` (null if absent) gives each at its
/// offset: `{0: {buffer: 4096}, 8: 7}`. A buffer is a pointer of 8 bytes; a number has 4 bytes, or 8 if necessary; a
/// symbol has 8; a list has a dword for each number. Rejects arguments outside the kernarg segment, and overlapping
/// ones.
std::vector<KernelArgument> arguments_by_offset(const Document& document, const KernelMetadata& kernel,
                                                const Node* arguments);

}  // namespace salu::loader
