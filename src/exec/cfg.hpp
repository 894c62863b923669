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

/// An instruction and its successors: the addresses at which a wave may continue.
struct CfgNode {
  u64 address = 0;
  isa::Instruction instruction{};
  bool is_instruction = false;  ///< the words are an instruction of the generation
  isa::Flow flow = isa::Flow::next;
  bool falls_through = false;   ///< the wave may continue at `next`; calls are assumed to return
  u64 next = 0;                 ///< address after the instruction
  std::optional<u64> target{};  ///< target of a direct branch, fork or call

  /// `words`: from `address` to the end of its code block; empty outside code.
  static CfgNode at(Generation generation, u64 address, std::span<const u32> words);

  /// True if the wave may continue at an address that the words do not contain: one from registers, from the control
  /// stack or of a trap handler. A fork pushes such an address for a later join.
  [[nodiscard]] bool has_computed_target() const;
  /// Removes the successors.
  void end_path() {
    falls_through = false;
    target.reset();
  }
};

class Cfg {
 public:
  /// Returns the code from an address to the end of its block; an empty span ends the path.
  using FindWords = std::function<std::span<const u32>(u64 address)>;
  Cfg(Generation generation, FindWords find_words) : generation_(generation), find_words_(std::move(find_words)) {}

  /// Called with each new node before its successors are followed. It may change the successors: add the target of a
  /// computed jump, or remove them to end the path. It is also called for an address without words each time that a
  /// path reaches it; such a node is not added to the graph. Returns false to end the walk.
  using Visit = std::function<bool(CfgNode& node)>;
  /// Adds the instructions that are reachable from an address. Returns false if `visit` ended the walk.
  bool add(u64 entry, const Visit& visit);
  /// Adds all instructions from an address to the end of its block, reachable or not.
  void add_block(u64 base, const Visit& visit);

  /// The node at an address; null if none has been added there.
  [[nodiscard]] const CfgNode* find(u64 address) const;
  /// Ascending by address.
  [[nodiscard]] const std::map<u64, CfgNode>& nodes() const { return nodes_; }

  /// Calls `visit(address)` for each address at which the wave may continue after a node. After a join, these are both
  /// sides of all forks.
  template <class VisitAddress>
  void for_each_successor(const CfgNode& node, const VisitAddress& visit) const {
    if (node.target) visit(*node.target);
    if (node.falls_through) visit(node.next);
    if (node.flow != isa::Flow::join) return;
    for (const u64 way : fork_ways_) visit(way);
  }

 private:
  /// Returns the node of an address; nothing if `visit` returned false.
  std::optional<CfgNode> add_node(u64 address, const Visit& visit);

  Generation generation_;
  FindWords find_words_;
  std::map<u64, CfgNode> nodes_;
  std::set<u64> fork_ways_;  ///< both sides of each fork
};

}  // namespace salu::exec
