#pragma once

#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/kernel_metadata.hpp"

/// Kernels of objects that come without a scenario: one is made up from what the object says.
namespace salu::loader {

/// The kernel at the entry of a program that is an object of these bytes; nothing where no kernel starts there.
std::optional<KernelMetadata> find_kernel_at_entry(const Scenario& scenario, std::string_view bytes);

/// The arguments that a scenario has to give, under the names that `args:` knows them by: their offsets where the
/// object does not say what they are, and then a pointer wherever there may be one.
std::vector<KernelArgument> given_arguments(const KernelMetadata& kernel);

/// An argument and what stands for it until somebody gives it a value: a buffer for a pointer, 0 for everything else. A
/// line of `args:` without its end, or two where the name is too long to stand in front of a colon.
std::string argument_for_yaml(const KernelArgument& argument);

/// A scenario that starts one wave of a kernel: a buffer for each pointer, 0 for everything else. `code` is what
/// stands behind `code:`, `more` are further lines.
std::string make_kernel_scenario(const KernelMetadata& kernel, std::string_view code, std::string_view more);

/// `` `k` takes p (global_buffer, 8 bytes) and n (by_value, 4 bytes) ``.
std::string describe_arguments(const KernelMetadata& kernel);

/// Whether two kernels can be started with the same arguments: same names, kinds and sizes in the same order.
bool take_same_arguments(const KernelMetadata& left, const KernelMetadata& right);

/// `text` in YAML, quoted.
std::string quote_for_yaml(std::string_view text);

}  // namespace salu::loader
