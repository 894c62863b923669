#include "dap/disassembly.hpp"

#include <algorithm>

#include "support/numbers.hpp"

namespace salu::dap {
namespace {

using support::hex;

constexpr u64 dword_bytes = 4;

/// The code block of an aligned address, or null.
const CodeBlock* block_of(const Debuggee& debuggee, u64 address) {
  return address % dword_bytes == 0 ? debuggee.scenario.program.find_block(address) : nullptr;
}

u64 size_at(const Debuggee& debuggee, u64 address) {
  if (block_of(debuggee, address) == nullptr) return dword_bytes;
  const auto instruction = debuggee.session.machine().code().instruction_at(address);
  return instruction ? u64{instruction->dwords} * dword_bytes : dword_bytes;
}

/// The addresses of instructions in a block up to `address`. Decoding starts at the last label at least `room` bytes
/// before it, to distinguish instructions from second dwords.
std::vector<u64> starts_before(const Debuggee& debuggee, const CodeBlock& block, u64 address, u64 room) {
  const u64 wanted = address - block.base > room ? address - room : block.base;
  u64 from = block.base;
  for (const Symbol& symbol : debuggee.scenario.program.symbols) {
    if (symbol.address <= wanted && symbol.address >= block.base && symbol.address % dword_bytes == 0)
      from = std::max(from, symbol.address);
  }
  std::vector<u64> starts;
  for (u64 at = from; at < address; at += size_at(debuggee, at)) starts.push_back(at);
  return starts;
}

/// Moves an address back by `count` instructions. Returns how many are missing before address 0.
u64 go_back(const Debuggee& debuggee, u64& address, u64 count) {
  while (count != 0 && address >= dword_bytes) {
    const u64 before = address - dword_bytes;
    const CodeBlock* const block = block_of(debuggee, before);
    if (block == nullptr) {
      address = before;
      --count;
      continue;
    }
    const std::vector<u64> starts = starts_before(debuggee, *block, address, count * 2 * dword_bytes);
    const u64 taken = std::min<u64>(count, starts.size());
    address = starts[static_cast<std::size_t>(starts.size() - taken)];
    count -= taken;
  }
  return count;
}

/// Moves an address to the next instruction. Returns false at the end of the address space.
bool go_forward(const Debuggee& debuggee, u64& address) {
  const u64 before = address;
  address += size_at(debuggee, address);
  return address > before;
}

/// A row outside of the address space.
Json no_address() { return {{"address", "-1"}, {"instruction", "(no address)"}, {"presentationHint", "invalid"}}; }

Json describe(const Debuggee& debuggee, u64 address) {
  const core::Machine& machine = debuggee.session.machine();
  const Program& program = debuggee.scenario.program;
  Json json = {{"address", hex(address, 16)}};
  if (block_of(debuggee, address) == nullptr) {
    const Memory& memory = machine.memory_now();
    const bool is_mapped = address % dword_bytes == 0 && memory.is_mapped(address, dword_bytes);
    json["instruction"] = is_mapped ? ".long " + hex(memory.read_dword(address), 8) : "(no memory)";
    json["presentationHint"] = "invalid";
    return json;
  }
  json["instruction"] = machine.code().text_at(address);
  std::string bytes;
  const auto words = machine.code().words_at(address);
  const std::size_t dwords = std::min<std::size_t>(size_at(debuggee, address) / dword_bytes, words.size());
  for (const u32 word : words.first(dwords)) bytes += (bytes.empty() ? "" : " ") + hex(word, 8).substr(2);
  json["instructionBytes"] = bytes;
  const std::string label = program.describe_address(address);
  if (!label.empty() && label.find('+') == std::string::npos) json["symbol"] = label;
  if (const auto place = debuggee.sources.origin_of(address)) {
    json["location"] = place->source;
    json["line"] = place->line;
  }
  return json;
}

}  // namespace

Json disassemble(const Debuggee& debuggee, u64 address, i64 offset, u64 count) {
  Json list = Json::array();
  bool is_inside = true;
  if (offset < 0) {
    const u64 missing = go_back(debuggee, address, static_cast<u64>(-offset));
    while (list.size() < std::min(missing, count)) list.push_back(no_address());
  } else {
    for (i64 i = 0; i < offset && is_inside; ++i) is_inside = go_forward(debuggee, address);
  }
  while (list.size() < count) {
    list.push_back(is_inside ? describe(debuggee, address) : no_address());
    is_inside = is_inside && go_forward(debuggee, address);
  }
  return list;
}

}  // namespace salu::dap
