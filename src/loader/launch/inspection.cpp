#include "loader/launch/inspection.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "loader/launch/argument_list.hpp"
#include "loader/launch/bare_kernel.hpp"
#include "loader/launch/object_kernels.hpp"
#include "loader/number.hpp"
#include "loader/objects/entry_function.hpp"
#include "loader/program/code_files.hpp"
#include "loader/program/program_builder.hpp"
#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "support/names.hpp"
#include "support/printable.hpp"

namespace salu::loader {
namespace {

/// An index of symbols by name. The first symbol of each name is used.
class SymbolNames {
 public:
  explicit SymbolNames(std::span<const Symbol> symbols) {
    for (const Symbol& symbol : symbols) symbols_.emplace(symbol.name, &symbol);
  }
  /// Returns null for an unknown name.
  [[nodiscard]] const Symbol* find(std::string_view name) const {
    const auto found = symbols_.find(name);
    return found == symbols_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const Symbol*> symbols_;
};

/// Returns bytes of the data or the code of a program; empty if it does not contain all of them.
std::vector<u8> bytes_at(const BuiltProgram& built, u64 address, std::size_t size_bytes) {
  const auto behind = std::ranges::upper_bound(built.data, address, {}, &DataBlock::base);
  if (behind != built.data.begin()) {
    const DataBlock& data = *std::prev(behind);
    const u64 offset = address - data.base;
    if (offset <= data.bytes.size() && size_bytes <= data.bytes.size() - offset) {
      const auto first = data.bytes.begin() + static_cast<std::ptrdiff_t>(offset);
      return {first, first + static_cast<std::ptrdiff_t>(size_bytes)};
    }
  }
  std::vector<u8> bytes;
  const CodeBlock* const block = built.program.find_block(address);
  if (block == nullptr || block->end() - address < size_bytes) return bytes;
  for (u64 at = address; at < address + size_bytes; ++at)
    bytes.push_back(static_cast<u8>(block->words[(at - block->base) / 4] >> (at - block->base) % 4 * 8));
  return bytes;
}

/// Returns the descriptor at an address, if the program contains it.
std::optional<KernelDescriptor> descriptor_at(const BuiltProgram& built, u64 address, bool is_header) {
  const std::vector<u8> bytes =
      bytes_at(built, address, is_header ? KernelCodeHeader::size_bytes : KernelDescriptor::size_bytes);
  return bytes.empty() ? std::nullopt : std::optional(parse_start_of_kernel(bytes, is_header));
}

InspectedKernel inspect_kernel(KernelMetadata metadata, const BuiltProgram& built, const SymbolNames& symbols) {
  InspectedKernel kernel;
  kernel.argument_names = argument_names(metadata);
  if (const Symbol* const at = symbols.find(metadata.descriptor_symbol)) {
    kernel.descriptor = descriptor_at(built, at->address, metadata.has_code_header);
    if (kernel.descriptor)
      kernel.address = at->address + static_cast<u64>(kernel.descriptor->start_offset(built.program.generation()));
  }
  std::string_view code = metadata.descriptor_symbol;
  if (code.ends_with(descriptor_suffix)) code.remove_suffix(descriptor_suffix.size());
  if (const Symbol* const function = symbols.find(code)) kernel.size_bytes = function->size_bytes;
  kernel.metadata = std::move(metadata);
  return kernel;
}

InspectedObject inspect(CodeInput input, const LoadOptions& options) {
  InspectedObject object;
  object.file = input.file;
  object.is_text = input.kind == CodeInput::Kind::assembly;
  if (input.kind == CodeInput::Kind::words)
    reject(ErrorCode::words, {input.file},
           "words do not contain symbols or kernels; expected an ELF object or assembly");
  if (input.kind == CodeInput::Kind::elf) object.is_relocatable = read_elf(input.text, input.file).relocatable;
  input.assembly = options.assembly;
  input.files = options.files;
  // Keep the addresses of the file.
  input.base = 0;
  std::vector<CodeInput> inputs;
  inputs.push_back(std::move(input));
  object.target = choose_target(inputs, find_target(options.mcpu), "--mcpu", {object.file});
  std::vector<KernelMetadata> kernels = kernels_of_input(inputs.front(), *object.target);
  const BuiltProgram built = place_code(std::move(inputs), *object.target);
  for (const LoadedObject& loaded : built.objects) {
    object.os_abi = loaded.os_abi;
    object.code_object_version = loaded.code_object_version;
    object.flags = loaded.flags;
  }
  const SymbolNames symbols(built.program.symbols);
  for (KernelMetadata& kernel : kernels) object.kernels.push_back(inspect_kernel(std::move(kernel), built, symbols));
  std::unordered_set<std::string_view> descriptors;
  for (const InspectedKernel& kernel : object.kernels) descriptors.insert(kernel.metadata.descriptor_symbol);
  for (const Symbol& function : built.functions) {
    if (!descriptors.contains(function.name + std::string(descriptor_suffix))) object.functions.push_back(function);
  }
  object.unresolved = built.program.unresolved;
  for (const Unresolved& each : object.unresolved) {
    const std::string place = built.program.describe_address(each.address);
    object.places.push_back(place.empty() ? hex(each.address) : place);
  }
  return object;
}

std::string_view setting(u32 bits) {
  constexpr std::array<std::string_view, 4> names = {"", "any", "off", "on"};
  return names[bits & 3];
}

/// Returns a comment with the kind, size and type of an argument.
std::string comment_on(const KernelArgument& argument) {
  std::string text = fmt::format("  # {}, {} bytes", argument.value_kind, argument.size_bytes);
  if (!argument.type_name.empty()) text += ": " + argument.type_name;
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string kernel_scenario(const InspectedKernel& kernel, std::string_view path, std::string_view head) {
  const KernelMetadata& metadata = kernel.metadata;
  std::string text = fmt::format("{}code: {{file: {}}}\nkernel:\n  name: {}\n", head, quote_for_yaml(path),
                                 quote_for_yaml(metadata.name));
  std::array<u32, 3> size = {64, 1, 1};
  if (metadata.required_workgroup_size[0] != 0) size = metadata.required_workgroup_size;
  if (metadata.required_workgroup_size[0] == 0) size[0] = std::clamp(metadata.max_workgroup_size, 1U, size[0]);
  text += fmt::format("  workgroup_size: [{}, {}, {}]  # work-items of a work-group\n", size[0], size[1], size[2]);
  text += fmt::format("  grid_size: [{}, {}, {}]  # work-items in all\n", size[0], size[1], size[2]);
  text +=
      "  workgroup_id: [0, 0, 0]\n  wave: 0  # of the work-group; `waves: all` instead of both runs all of the grid\n";
  const std::vector<KernelArgument> arguments = given_arguments(metadata);
  if (!metadata.knows_arguments && !arguments.empty()) {
    text +=
        "  # The object does not describe the arguments: give each at its offset in bytes. A pointer\n"
        "  # ({buffer: 4096}) has 8 bytes, a number 4 (`12: 7`).\n";
  }
  if (!arguments.empty()) text += "  args:\n";
  for (const KernelArgument& argument : arguments) {
    text += argument_for_yaml(argument) + (metadata.knows_arguments ? comment_on(argument) : "") + "\n";
  }
  return text + "# expect:\n#   memory: [{at: 0x200000000, words: [0]}]  # the first buffer, unless it has an `at:`\n";
}

std::string function_scenario(const Symbol& function, std::string_view path, std::string_view head) {
  return fmt::format(
      "{}code: {{file: {}, symbol: {}}}\n"
      "# The arguments of a function are in registers: `inreg` arguments from s0 or s4 on, others from v0 on, a lane "
      "each.\n"
      "registers: {{}}\n"
      "# expect:\n#   registers: {{v0: 0}}\n",
      head, quote_for_yaml(path), quote_for_yaml(function.name));
}

}  // namespace

std::string_view os_name(u8 os_abi) {
  constexpr std::array<std::pair<u8, std::string_view>, 3> names = {{{64, "amdhsa"}, {65, "amdpal"}, {66, "mesa3d"}}};
  const auto* const found = std::ranges::find(names, os_abi, &std::pair<u8, std::string_view>::first);
  return found == names.end() ? std::string_view() : found->second;
}

std::string_view xnack_setting(const InspectedObject& object) {
  constexpr u32 lowest = 8;
  // Version 3 has only a bit for `on`.
  if (object.code_object_version == 3) return object.target->has_xnack ? setting((object.flags >> lowest & 1) + 2) : "";
  return object.code_object_version > 3 ? setting(object.flags >> lowest) : "";
}

std::string_view sramecc_setting(const InspectedObject& object) {
  constexpr u32 lowest = 10;
  return object.code_object_version > 3 ? setting(object.flags >> lowest) : "";
}

std::vector<StartingSgprs> starting_sgprs(const KernelDescriptor& descriptor, Generation generation) {
  struct Kind {
    u32 property;
    u32 count;
    std::string_view what;
  };
  constexpr std::array<Kind, 7> users = {{{KernelDescriptor::private_segment_buffer, 4, "private_segment_buffer"},
                                          {KernelDescriptor::dispatch_ptr, 2, "dispatch_ptr"},
                                          {KernelDescriptor::queue_ptr, 2, "queue_ptr"},
                                          {KernelDescriptor::kernarg_segment_ptr, 2, "kernarg_segment_ptr"},
                                          {KernelDescriptor::dispatch_id, 2, "dispatch_id"},
                                          {KernelDescriptor::flat_scratch_init, 2, "flat_scratch_init"},
                                          {KernelDescriptor::private_segment_size, 1, "private_segment_size"}}};
  constexpr std::array<std::string_view, 4> system = {"workgroup_id_x", "workgroup_id_y", "workgroup_id_z",
                                                      "workgroup_info"};
  constexpr u32 first_system_bit = 7;
  std::vector<StartingSgprs> list;
  u32 next = 0;
  const auto add = [&](u32 count, std::string_view what) {
    if (count != 0) list.push_back({next, count, what});
    next += count;
  };
  for (const Kind& kind : users) add(descriptor.has(kind.property) ? kind.count : 0, kind.what);
  constexpr std::array<std::string_view, 3> counts = {"grid_workgroup_count_x", "grid_workgroup_count_y",
                                                      "grid_workgroup_count_z"};
  for (u32 axis = 0; axis < counts.size(); ++axis)
    add(u32{descriptor.has(KernelDescriptor::grid_workgroup_count << axis)}, counts[axis]);
  add(descriptor.preload_dwords(generation), "preloaded arguments");
  next = descriptor.user_sgpr_count();
  for (u32 i = 0; i < system.size(); ++i) add(descriptor.rsrc2 >> (first_system_bit + i) & 1, system[i]);
  const bool has_offset =
      descriptor.enables_private_segment() && !generation_info(generation).has_architected_flat_scratch;
  add(has_offset ? 1 : 0, "private_segment_wavefront_offset");
  return list;
}

Result<InspectedObject> inspect_file(const std::string& path, const LoadOptions& options) {
  try {
    return inspect(read_code_file(path, options.files), options);
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

std::optional<std::string> starting_scenario(const InspectedObject& object, std::string_view name,
                                             std::string_view path) {
  const std::string shown = support::printable(name);
  const std::string head = fmt::format("# Fill in the inputs of {}, then `salu run` this file.\ntarget: {}\n",
                                       support::quote(shown), object.target->name);
  for (const InspectedKernel& kernel : object.kernels) {
    if (kernel.metadata.name == shown) return kernel_scenario(kernel, path, head);
  }
  const auto function = std::ranges::find(object.functions, shown, &Symbol::name);
  if (function == object.functions.end()) return std::nullopt;
  return function_scenario(*function, path, head);
}

}  // namespace salu::loader
