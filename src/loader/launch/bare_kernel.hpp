#pragma once

#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/kernel_metadata.hpp"

/// Generated scenarios for kernels of objects without a scenario, made from the object's metadata.
namespace salu::loader {

/// Returns the kernel at the entry of a program made from an object with these bytes; nothing if no kernel starts
/// there.
std::optional<KernelMetadata> find_kernel_at_entry(const Scenario& scenario, std::string_view bytes);

/// Returns the arguments that a scenario must give, with their names in `args:`. If the object does not describe its
/// arguments, the names are offsets, and every possible pointer is listed as a pointer.
std::vector<KernelArgument> given_arguments(const KernelMetadata& kernel);

/// Returns an argument with a placeholder value: a buffer for a pointer, 0 for everything else. The text is a line of
/// `args:` without its line break, or two lines if the name is too long for a simple key.
std::string argument_for_yaml(const KernelArgument& argument);

/// Returns a scenario that starts one wave of a kernel, with a buffer for each pointer and 0 for everything else.
/// `code` is the value of `code:`, `more` are further lines.
std::string make_kernel_scenario(const KernelMetadata& kernel, std::string_view code, std::string_view more);

/// Lists the arguments of a kernel: `` `k` takes p (global_buffer, 8 bytes) and n (by_value, 4 bytes) ``.
std::string describe_arguments(const KernelMetadata& kernel);

/// True if two kernels can be started with the same arguments: same names, kinds and sizes in the same order.
bool take_same_arguments(const KernelMetadata& left, const KernelMetadata& right);

/// Quotes a text for YAML.
std::string quote_for_yaml(std::string_view text);

}  // namespace salu::loader
