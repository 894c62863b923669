#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "isa/decode.hpp"

/// The control-flow graph of code, as far as the words of its instructions alone tell.
namespace salu::exec {

/// An instruction and where a wave may go on after it.
struct CfgNode {
  u64 address = 0;
  isa::Instruction instruction{};
  bool is_instruction = false;  ///< the words are an instruction of the generation
  bool falls_through = false;   ///< the wave may go on at `next`; a call is taken to return
  u64 next = 0;                 ///< address after the instruction
  std::optional<u64> target{};  ///< of a direct branch, fork or call

  /// `words`: from `address` to the end of its code block; empty outside code.
  static CfgNode at(Generation generation, u64 address, std::span<const u32> words);
};

class Cfg {
 public:
  /// Returns the code from an address to the end of its block; nothing where a path ends.
  using FindWords = std::function<std::span<const u32>(u64 address)>;
  Cfg(Generation generation, FindWords find_words) : generation_(generation), find_words_(std::move(find_words)) {}

  /// Adds what can be reached from an address and returns the new nodes, in the order in which they were found.
  std::vector<const CfgNode*> add(u64 entry);
  /// The node at an address that has been reached; null at others.
  [[nodiscard]] const CfgNode* find(u64 address) const;
  /// Ascending by address.
  [[nodiscard]] const std::map<u64, CfgNode>& nodes() const { return nodes_; }

 private:
  Generation generation_;
  FindWords find_words_;
  std::map<u64, CfgNode> nodes_;
};

}  // namespace salu::exec
