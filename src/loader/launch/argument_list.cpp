#include "loader/launch/argument_list.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "loader/number.hpp"
#include "loader/yaml/reader.hpp"
#include "support/numbers.hpp"

namespace salu::loader {
namespace {

/// Makes an argument whose kind and size follow from the form of its value.
KernelArgument argument_given_as(const Node& value) {
  constexpr u64 address_bytes = 8;
  KernelArgument argument;
  argument.value_kind = "by_value";
  argument.size_bytes = address_bytes;
  if (value.is_sequence()) argument.size_bytes = value.children.size() * 4;
  if (value.is_map()) {
    const std::optional<FloatNode> floats = find_floats(value);
    if (floats && floats->numbers->is_scalar())
      argument.size_bytes = float_bits(floats->format) / 8;
    else
      argument.value_kind = "global_buffer";
  }
  const auto number = value.is_scalar() ? parse_number(value.text).number : std::nullopt;
  if (number && number->fits(32)) argument.size_bytes = 4;
  return argument;
}

u64 read_offset(const Document& document, const KernelMetadata& kernel, const Node& key) {
  const auto number = parse_number(key.text).number;
  if (!number || number->negative || !number->fits(64)) {
    document.fail(key, fmt::format("the object does not describe the arguments of the kernel `{}`, so they are "
                                   "unnamed; give each at its offset in bytes (`0:`, `8:`), found `{}`",
                                   kernel.name.substr(0, 80), key.text.substr(0, 80)));
  }
  return number->low64();
}

}  // namespace

std::vector<std::string> argument_names(const KernelMetadata& kernel) {
  std::vector<std::string> names;
  std::size_t position = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.is_hidden()) {
      names.push_back(argument.value_kind);
    } else {
      names.push_back(argument.name.empty() ? fmt::format("arg{}", position) : argument.name);
      ++position;
    }
  }
  // Clang's suffix for a structure that it passes as one value.
  constexpr std::string_view coerced = ".coerce";
  std::set<std::string> taken(names.begin(), names.end());
  for (std::string& name : names) {
    const std::string plain = name.ends_with(coerced) ? name.substr(0, name.size() - coerced.size()) : std::string();
    if (!plain.empty() && taken.insert(plain).second) name = plain;
  }
  // Hand-written metadata may give two arguments the same name, which then means the first of them.
  taken.clear();
  position = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (kernel.arguments[i].is_hidden()) continue;
    if (taken.contains(names[i])) names[i] = fmt::format("arg{}", position);
    ++position;
    while (!taken.insert(names[i]).second) names[i] += '_';
  }
  return names;
}

std::vector<KernelArgument> arguments_by_offset(const Document& document, const KernelMetadata& kernel,
                                                const Node* arguments) {
  std::vector<KernelArgument> list;
  if (arguments == nullptr) return list;
  if (!arguments->is_map()) {
    document.fail(*arguments, "the object does not describe the arguments of the kernel `" + kernel.name.substr(0, 80) +
                                  "`; give each at its offset in bytes: `args: {0: {buffer: 4096}, 8: 7}`");
  }
  for (std::size_t i = 0; i + 1 < arguments->children.size(); i += 2) {
    const Node& key = *arguments->children[i];
    KernelArgument argument = argument_given_as(*arguments->children[i + 1]);
    argument.name = key.text;
    argument.offset = read_offset(document, kernel, key);
    if (argument.offset > kernel.kernarg_size_bytes ||
        argument.size_bytes > kernel.kernarg_size_bytes - argument.offset) {
      document.fail(key, fmt::format("the argument at {} has {}, but the kernel `{}` has {} of arguments", key.text,
                                     support::counted(argument.size_bytes, "byte"), kernel.name.substr(0, 80),
                                     support::counted(kernel.kernarg_size_bytes, "byte")));
    }
    const auto other = std::ranges::find_if(list, [&](const KernelArgument& before) {
      return argument.offset < before.offset + before.size_bytes &&
             before.offset < argument.offset + argument.size_bytes;
    });
    if (other != list.end()) {
      document.fail(key, fmt::format("the argument at {} overlaps the one at {}, which has {}", key.text, other->name,
                                     support::counted(other->size_bytes, "byte")));
    }
    list.push_back(std::move(argument));
  }
  return list;
}

}  // namespace salu::loader
