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

/// The value of an expression: 64 bits, compared and divided as a signed number if `is_signed`.
struct Value {
  u64 bits = 0;
  bool is_signed = false;

  [[nodiscard]] bool is_true() const { return bits != 0; }
};

/// The state on which an expression is evaluated.
class ExpressionState {
 public:
  virtual ~ExpressionState() = default;
  /// The value of a register of at most 64 bits.
  [[nodiscard]] virtual u64 read(const RegisterName& name) const = 0;
  [[nodiscard]] virtual const Memory& memory() const = 0;
};

/// An expression over the state of a wave, with the operators of C and their precedence: `s0 > 5 && scc`,
/// `[s[4:5] + 8] == 0x10`, `bcnt(exec) < 32`.
///
/// Registers and fields have the names that scenarios have (`s3`, `s[2:3]`, `vcc_lo`, `exec`, `pc`, `mode.csp`), at
/// most 64 bits wide; a label or symbol has its address as value; `[address]` is the dword of memory there,
/// `[address:8]` has a size in bytes (1, 2, 4 or 8). Values are unsigned; `i32(x)` and `i64(x)` interpret the low bits
/// of x as a signed number. `bcnt(x)` is the number of ones, `lane(x, n)` bit n.
class Expression {
 public:
  /// Parses an expression. `lane`: a vector register means this lane of it, which `text` shows; without it, a vector
  /// register must name its lane (`v3[7]`). Errors have the column in the text. `values`: the values of `$1`, `$2` and
  /// so on; `$` is the last and `$$` the one before it.
  static Result<Expression> parse(std::string_view text, const Program& program, std::optional<u32> lane = {},
                                  std::span<const Value> values = {});

  [[nodiscard]] Value evaluate(const ExpressionState& state) const;
  [[nodiscard]] Value evaluate(const core::Machine& machine) const;

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The first part without a value here: unmapped memory, or a division by 0. `evaluate` uses 0 for it.
  [[nodiscard]] std::optional<std::string> find_problem(const core::Machine& machine) const;
  /// The registers that the expression depends on.
  [[nodiscard]] const std::vector<RegisterName>& registers() const { return registers_; }
  /// True if the expression depends on memory.
  [[nodiscard]] bool reads_memory() const { return reads_memory_; }
  /// True for a single settable place: a register, or memory at an address that is evaluated.
  [[nodiscard]] bool is_register() const;
  [[nodiscard]] bool is_memory() const;
  /// The address and size for `is_memory`.
  [[nodiscard]] u64 memory_address(const core::Machine& machine) const;
  [[nodiscard]] u32 memory_bytes() const;
  /// The name of the register for `is_register`, without blanks.
  [[nodiscard]] const RegisterName& register_name() const { return registers_.front(); }
  /// The width of its values in bits.
  [[nodiscard]] u32 width() const;

  struct Node;
  /// The root of its tree (expr/expression_node.hpp).
  [[nodiscard]] const Node& root() const { return *root_; }

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
  std::vector<RegisterName> registers_;
  bool reads_memory_ = false;

  friend class ExpressionParser;
};

}  // namespace salu::expr
