#include "loader/launch/bare_kernel.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <string>

#include "loader/launch/argument_list.hpp"
#include "loader/launch/object_kernels.hpp"
#include "loader/objects/entry_function.hpp"
#include "support/names.hpp"
#include "support/printable.hpp"

namespace salu::loader {
namespace {

/// Returns the placeholder value of an argument.
std::string placeholder_of(const KernelArgument& argument) {
  constexpr u64 largest_number = 8;
  if (argument.value_kind == "dynamic_shared_pointer") return "{buffer: 1024}";
  if (argument.is_pointer()) return "{buffer: 4096}";
  if (argument.size_bytes <= largest_number) return "0x0";
  std::string text = "{bytes: [0";
  for (u64 i = 1; i < argument.size_bytes; ++i) text += ", 0";
  return text + "]}";
}

}  // namespace

std::vector<KernelArgument> given_arguments(const KernelMetadata& kernel) {
  std::vector<KernelArgument> given;
  if (!kernel.knows_arguments) {
    constexpr u64 pointer_bytes = 8;
    for (u64 offset = 0; offset + pointer_bytes <= kernel.kernarg_size_bytes; offset += pointer_bytes) {
      KernelArgument& argument = given.emplace_back();
      argument.name = std::to_string(offset);
      argument.value_kind = "global_buffer";
      argument.offset = offset;
      argument.size_bytes = pointer_bytes;
    }
    return given;
  }
  const std::vector<std::string> names = argument_names(kernel);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const KernelArgument& argument = kernel.arguments[i];
    if (argument.is_hidden() || argument.size_bytes == 0) continue;
    given.push_back(argument);
    given.back().name = names[i];
  }
  return given;
}

std::optional<KernelMetadata> find_kernel_at_entry(const Scenario& scenario, std::string_view bytes) {
  const Program& program = scenario.program;
  for (KernelMetadata& kernel : kernels_of_object(bytes, scenario.file)) {
    const auto is_it = [&](const Symbol& symbol) {
      return symbol.address == program.entry &&
             symbol.name + std::string(descriptor_suffix) == kernel.descriptor_symbol;
    };
    if (std::ranges::any_of(program.symbols, is_it)) return std::move(kernel);
  }
  return std::nullopt;
}

std::string argument_for_yaml(const KernelArgument& argument) {
  constexpr std::size_t letters_without_mark = 1024;
  const std::string key = quote_for_yaml(argument.name);
  const bool is_long = key.size() > letters_without_mark;
  return fmt::format("    {}{}: {}", is_long ? "? " : "", is_long ? key + "\n    " : key, placeholder_of(argument));
}

std::string make_kernel_scenario(const KernelMetadata& kernel, std::string_view code, std::string_view more) {
  std::string text = fmt::format("code: {}\nkernel:\n  name: {}\n", code, quote_for_yaml(kernel.name));
  const std::vector<KernelArgument> arguments = given_arguments(kernel);
  if (!arguments.empty()) text += "  args:\n";
  for (const KernelArgument& argument : arguments) {
    text += argument_for_yaml(argument) + "\n";
  }
  return text + std::string(more);
}

std::string describe_arguments(const KernelMetadata& kernel) {
  if (!kernel.knows_arguments)
    return fmt::format("`{}` takes {} bytes of arguments that its object does not name", kernel.name,
                       kernel.kernarg_size_bytes);
  std::string list;
  for (const KernelArgument& argument : given_arguments(kernel)) {
    list += fmt::format("{}{} ({}, {} bytes)", list.empty() ? "" : ", ", argument.name, argument.value_kind,
                        argument.size_bytes);
  }
  return fmt::format("`{}` takes {}", kernel.name, list.empty() ? "no arguments" : list);
}

bool take_same_arguments(const KernelMetadata& left, const KernelMetadata& right) {
  return left.knows_arguments == right.knows_arguments &&
         std::ranges::equal(given_arguments(left), given_arguments(right),
                            [](const KernelArgument& a, const KernelArgument& b) {
                              return a.name == b.name && a.value_kind == b.value_kind && a.size_bytes == b.size_bytes;
                            });
}

std::string quote_for_yaml(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool is_null = support::lower_case(text) == "null";
  if (!text.empty() && !is_null && std::ranges::all_of(text, is_plain)) return std::string(text);
  if (!support::is_printable(text)) {
    using Json = nlohmann::json;
    return support::printable_json(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace salu::loader
