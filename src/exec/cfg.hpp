#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "isa/control_flow.hpp"
#include "isa/decode.hpp"

/// The control-flow graph of code. Its edges come from the words of the instructions; a visitor may change them.
namespace salu::exec {

/// An instruction and where a wave may go on after it.
struct CfgNode {
  u64 address = 0;
  isa::Instruction instruction{};
  bool is_instruction = false;  ///< the words are an instruction of the generation
  isa::Flow flow = isa::Flow::next;
  bool falls_through = false;   ///< the wave may go on at `next`; a call is taken to return
  u64 next = 0;                 ///< address after the instruction
  std::optional<u64> target{};  ///< of a direct branch, fork or call

  /// `words`: from `address` to the end of its code block; empty outside code.
  static CfgNode at(Generation generation, u64 address, std::span<const u32> words);

  /// True if the wave may go on at an address that is not in the words: in registers, on the control stack or in a trap
  /// handler. A fork leaves such an address to a join.
  [[nodiscard]] bool has_computed_target() const;
  /// Removes the successors.
  void end_path() {
    falls_through = false;
    target.reset();
  }
};

class Cfg {
 public:
  /// Returns the code from an address to the end of its block; nothing where a path ends.
  using FindWords = std::function<std::span<const u32>(u64 address)>;
  Cfg(Generation generation, FindWords find_words) : generation_(generation), find_words_(std::move(find_words)) {}

  /// Gets each new node before its successors are followed, and may change them: a computed jump gets its target, an
  /// instruction that ends the path here loses them. Also gets an address without words each time that a path ends
  /// there; such a node does not become part of the graph. False ends the walk.
  using Visit = std::function<bool(CfgNode& node)>;
  /// Adds what can be reached from an address. False if `visit` ended the walk.
  bool add(u64 entry, const Visit& visit);
  /// Adds the instructions from an address to the end of its block in straight line, reachable or not.
  void add_block(u64 base, const Visit& visit);

  /// The node at an address that has been added; null at others.
  [[nodiscard]] const CfgNode* find(u64 address) const;
  /// Ascending by address.
  [[nodiscard]] const std::map<u64, CfgNode>& nodes() const { return nodes_; }

  /// Calls `visit(address)` for each place where the wave may go on after a node. After a join, either side of any fork
  /// is one.
  template <class VisitAddress>
  void for_each_successor(const CfgNode& node, const VisitAddress& visit) const {
    if (node.target) visit(*node.target);
    if (node.falls_through) visit(node.next);
    if (node.flow != isa::Flow::join) return;
    for (const u64 way : fork_ways_) visit(way);
  }

 private:
  /// Returns the node of an address; nothing where `visit` returned false.
  std::optional<CfgNode> add_node(u64 address, const Visit& visit);

  Generation generation_;
  FindWords find_words_;
  std::map<u64, CfgNode> nodes_;
  std::set<u64> fork_ways_;  ///< either side of each fork
};

}  // namespace salu::exec
