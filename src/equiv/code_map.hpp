#pragma once

#include <salu/equivalence.hpp>
#include <salu/program.hpp>

#include <vector>

#include "exec/cfg.hpp"

namespace salu::equiv {

/// The instructions of a program that are reachable according to its code, and those that have been executed.
class CodeMap {
 public:
  explicit CodeMap(const Program& program);

  /// Marks an instruction as executed; true if it is executed for the first time.
  bool mark(u64 address) {
    Block& block = find(address);
    const auto index = static_cast<std::size_t>((address - block.base) / 4);
    if (block.executed[index]) return false;
    if (cfg_.find(address) == nullptr) scan_from(address);
    block.executed[index] = true;
    ++executed_;
    return true;
  }

  [[nodiscard]] u64 executed() const { return executed_; }
  /// The number of instructions that were executed, or that are reachable from the entry or executed ones. Targets of
  /// indirect branches are found when a run reaches them.
  [[nodiscard]] u64 reachable() const { return cfg_.nodes().size(); }
  [[nodiscard]] std::vector<AddressRange> never_executed() const;
  /// True if an address is in a reachable instruction.
  [[nodiscard]] bool is_reachable(u64 address) const;
  /// The addresses of all reachable instructions, ascending.
  [[nodiscard]] std::vector<u64> addresses() const;
  /// The literals and immediate operands of reachable instructions.
  [[nodiscard]] const std::vector<u64>& constants() const { return constants_; }

 private:
  struct Block {
    u64 base = 0;
    std::vector<bool> executed;  ///< by dword
  };

  Block& find(u64 address);
  [[nodiscard]] bool is_executed(u64 address) const;
  void scan_from(u64 address);

  exec::Cfg cfg_;
  const Program& program_;
  std::vector<Block> blocks_;
  std::vector<u64> constants_;
  u64 executed_ = 0;
};

}  // namespace salu::equiv
