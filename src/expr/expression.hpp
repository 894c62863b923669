#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>
#include <salu/location.hpp>
#include <salu/program.hpp>
#include <salu/state.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine.hpp"

namespace salu::expr {

/// What an expression comes to: 64 bits, which compare and divide as a signed number where `is_signed`.
struct Value {
  u64 bits = 0;
  bool is_signed = false;

  [[nodiscard]] bool is_true() const { return bits != 0; }
};

/// A state that an expression asks for what it names.
class ExpressionState {
 public:
  virtual ~ExpressionState() = default;
  /// What a register of at most 64 bits holds.
  [[nodiscard]] virtual u64 read(const RegisterName& name) const = 0;
  [[nodiscard]] virtual const Memory& memory() const = 0;
};

/// An expression over the state of a wave, with the operators of C and their precedence: `s0 > 5 && scc`,
/// `[s[4:5] + 8] == 0x10`, `bcnt(exec) < 32`.
///
/// Registers and fields have the names that scenarios have (`s3`, `s[2:3]`, `vcc_lo`, `exec`, `pc`, `mode.csp`), at
/// most 64 bits wide; a label or symbol stands for its address; `[address]` is the dword of memory there, `[address:8]`
/// so many bytes (1, 2, 4 or 8). Values are unsigned unless `i32(x)` or `i64(x)` says that the low bits of x are a
/// signed number. `bcnt(x)` is the number of ones, `lane(x, n)` bit n.
class Expression {
 public:
  /// A vector register means this lane of it, and `text` says so; without one, it has to name its lane (`v3[7]`). An
  /// error says what is wrong and at which column of the text.
  /// `values`: what `$1`, `$2` and so on stand for, `$` for the last and `$$` for the one before it.
  static Result<Expression> parse(std::string_view text, const Program& program, std::optional<u32> lane = {},
                                  std::span<const Value> values = {});

  [[nodiscard]] Value evaluate(const ExpressionState& state) const;
  [[nodiscard]] Value evaluate(const core::Machine& machine) const;

  [[nodiscard]] const std::string& text() const { return text_; }
  /// What in it has no value here: memory that is not mapped, or a division by 0. `evaluate` takes 0 for it.
  [[nodiscard]] std::optional<std::string> find_problem(const core::Machine& machine) const;
  /// The registers that it depends on.
  [[nodiscard]] const std::vector<RegisterName>& registers() const { return registers_; }
  /// Whether it depends on memory.
  [[nodiscard]] bool reads_memory() const { return reads_memory_; }
  /// Where it is nothing but one place, which can be set: a register, or a dword of memory at an address that is
  /// evaluated.
  [[nodiscard]] bool is_register() const;
  [[nodiscard]] bool is_memory() const;
  /// The address and size of the memory that `is_memory` is about.
  [[nodiscard]] u64 memory_address(const core::Machine& machine) const;
  [[nodiscard]] u32 memory_bytes() const;
  /// The name of the register that `is_register` is about, without blanks.
  [[nodiscard]] const RegisterName& register_name() const { return registers_.front(); }
  /// Bits that a value of it can have.
  [[nodiscard]] u32 width() const;

  struct Node;
  /// The tree that it is (expr/expression_node.hpp).
  [[nodiscard]] const Node& root() const { return *root_; }

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
  std::vector<RegisterName> registers_;
  bool reads_memory_ = false;

  friend class ExpressionParser;
};

}  // namespace salu::expr
