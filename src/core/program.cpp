#include <salu/program.hpp>

#include <algorithm>
#include <iterator>

#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu {

const CodeBlock* Program::find_block(u64 address) const {
  const auto after = std::ranges::upper_bound(code, address, {}, &CodeBlock::base);
  if (after == code.begin()) return nullptr;
  const CodeBlock& block = *std::prev(after);
  return block.contains(address) ? &block : nullptr;
}

const Symbol* Program::find_symbol(std::string_view name) const {
  const std::string shown = support::printable(name);
  const Symbol* other = nullptr;
  for (const Symbol& symbol : symbols) {
    if (symbol.name != shown) continue;
    if (find_block(symbol.address) != nullptr) return &symbol;
    if (other == nullptr) other = &symbol;
  }
  return other;
}

const Unresolved* Program::find_unresolved(u64 address, u64 size_bytes) const {
  const auto found = std::ranges::lower_bound(unresolved, address, {}, &Unresolved::address);
  return found == unresolved.end() || found->address - address >= size_bytes ? nullptr : &*found;
}

const Assumption* Program::find_assumption(u64 address) const {
  const auto found = std::ranges::lower_bound(assumptions, address, {}, &Assumption::address);
  return found == assumptions.end() || found->address != address ? nullptr : &*found;
}

std::string Program::describe_address(u64 address) const {
  const CodeBlock* block = find_block(address);
  if (block == nullptr) return {};
  const auto after = std::ranges::upper_bound(symbols, address, {}, &Symbol::address);
  if (after == symbols.begin()) return {};
  // Of several symbols at one address, use the first, so that the choice is always the same.
  const u64 nearest = std::prev(after)->address;
  if (nearest < block->base) return {};
  const Symbol& symbol = *std::ranges::lower_bound(symbols, nearest, {}, &Symbol::address);
  if (symbol.address == address) return symbol.name;
  return symbol.name + '+' + support::hex(address - symbol.address);
}

const LineEntry* Program::find_line(u64 address) const {
  const auto found = std::ranges::lower_bound(lines, address, {}, &LineEntry::address);
  return found == lines.end() || found->address != address ? nullptr : &*found;
}

std::string Program::describe_place(u64 address) const {
  std::string place = support::printable(describe_address(address));
  const LineEntry* const line = find_line(address);
  if (line != nullptr && line->file < files.size()) {
    if (!place.empty()) place += ", ";
    place += support::printable(files[line->file]) + ':' + std::to_string(line->line);
  }
  return support::hex(address) + (place.empty() ? "" : " (" + place + ")");
}

bool place_code(const Program& program, Memory& memory) {
  for (const CodeBlock& block : program.code) {
    if (block.words.empty()) continue;
    if (!memory.add_region({block.base, block.words.size() * 4, block.access})) return false;
    memory.write(block.base, {reinterpret_cast<const u8*>(block.words.data()), block.words.size() * 4});
  }
  return true;
}

}  // namespace salu
