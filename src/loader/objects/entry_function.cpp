#include "loader/objects/entry_function.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "isa/control_flow.hpp"

namespace salu::loader {

FunctionEnd find_function_end(const Program& program, const Symbol& function) {
  FunctionEnd result;
  const CodeBlock* block = program.find_block(function.address);
  if (block == nullptr || function.size_bytes == 0 || function.address % 4 != 0) return result;
  // If the size is not a multiple of a dword, the last instruction belongs to the function.
  const u64 left = block->end() - function.address;
  const u64 end = function.address + (std::min(function.size_bytes, left) + 3) / 4 * 4;
  bool falls_off = true;
  for (u64 address = function.address; address < end;) {
    const auto index = static_cast<std::size_t>((address - block->base) / 4);
    const isa::Instruction instruction = isa::decode(program.generation(), std::span(block->words).subspan(index));
    falls_off = !isa::never_falls_through(instruction);
    if (isa::flow_of(instruction) == isa::Flow::jump) {
      result.returns_by_register = true;
    }
    if (isa::branch_target(instruction, address) == end) result.address = end;
    address += u64{instruction.dwords} * 4;
  }
  // A function that cannot fall through its end may be followed directly by a function that it calls.
  if (falls_off) result.address = end;
  return result;
}

bool starts_kernel(const Program& program, std::span<const Symbol> functions, u64 address) {
  const auto here = std::ranges::equal_range(functions, address, {}, &Symbol::address);
  if (here.empty()) return false;
  std::unordered_set<std::string_view> kernels;
  for (const Symbol& symbol : program.symbols) {
    const std::string_view name = symbol.name;
    if (name.ends_with(descriptor_suffix)) kernels.insert(name.substr(0, name.size() - descriptor_suffix.size()));
  }
  return std::ranges::any_of(here, [&](const Symbol& function) { return kernels.contains(function.name); });
}

std::optional<KernelEnd> find_kernel_end(const Program& program, std::span<const Symbol> functions,
                                         const Symbol& kernel) {
  const CodeBlock* block = program.find_block(kernel.address);
  if (block == nullptr || kernel.size_bytes == 0 || kernel.address % 4 != 0) return std::nullopt;
  const u64 left = block->end() - kernel.address;
  const u64 end = kernel.address + (std::min(kernel.size_bytes, left) + 3) / 4 * 4;
  const bool is_followed = std::ranges::find(functions, end, &Symbol::address) != functions.end();
  if (is_followed && !starts_kernel(program, functions, end)) return std::nullopt;
  return KernelEnd{kernel.name, end};
}

EnteredFunction enter_function(Program& program, std::span<const Symbol> functions, const Symbol* function) {
  program.function_end.reset();
  program.kernel_end.reset();
  if (function == nullptr) return {};
  if (starts_kernel(program, functions, function->address)) {
    program.kernel_end = find_kernel_end(program, functions, *function);
    return {.is_kernel = true, .returns_by_register = false};
  }
  const FunctionEnd end = find_function_end(program, *function);
  program.function_end = end.address;
  return {.is_kernel = false, .returns_by_register = end.returns_by_register};
}

const Symbol* find_function(std::span<const Symbol> functions, u64 address) {
  const auto after = std::ranges::upper_bound(functions, address, {}, &Symbol::address);
  if (after == functions.begin()) return nullptr;
  // If an address has several names, use any with a size.
  for (auto found = std::prev(after);; --found) {
    if (address - found->address < found->size_bytes) return &*found;
    if (found == functions.begin() || std::prev(found)->address != found->address) return nullptr;
  }
}

}  // namespace salu::loader
