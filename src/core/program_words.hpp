#pragma once

#include <salu/program.hpp>

#include <cstddef>
#include <span>

namespace salu::core {

/// The words of a loaded program from an address to the end of the code block; empty outside code and at an address
/// that is not a multiple of 4. `CodeCache::words_at` has the words as changed by the run.
inline std::span<const u32> words_at(const Program& program, u64 address) {
  const CodeBlock* const block = address % 4 == 0 ? program.find_block(address) : nullptr;
  if (block == nullptr) return {};
  return std::span(block->words).subspan(static_cast<std::size_t>((address - block->base) / 4));
}

}  // namespace salu::core
