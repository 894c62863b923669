#pragma once

#include <string>
#include <vector>

#include "loader/objects/kernel_metadata.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// The arguments of a kernel, as those who give them see them.
namespace salu::loader {

/// The name under which an argument is given: its own, that of its kind for a hidden one (`hidden_heap_v1`), or `arg0`,
/// `arg1`, ... by its place among those that are not hidden where it has none, or that of an argument before it.
std::vector<std::string> argument_names(const KernelMetadata& kernel);

/// The arguments of a kernel of which the object does not say them: `args:` (null when there is none) gives each at its
/// offset, `{0: {buffer: 4096}, 8: 7}`. A buffer is a pointer of 8 bytes; a number has 4, or 8 where it needs them, and
/// a symbol 8; a list has a dword for each number in it. Rejects what lies outside the kernarg segment, or over another
/// one.
std::vector<KernelArgument> arguments_by_offset(const Document& document, const KernelMetadata& kernel,
                                                const Node* arguments);

}  // namespace salu::loader
