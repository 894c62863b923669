#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assembler/diagnostics.hpp"
#include "assembler/functions.hpp"
#include "assembler/lexer.hpp"

/// Integer expressions over constants and labels, with the operators and precedences of LLVM's assembler (64-bit,
/// wrapping).
namespace salu::assembler {

/// The value of an expression. `addresses` counts labels, a subtracted one as -1: 1 is an address, 0 a plain number
/// (which includes the difference of two labels). It wraps, because definitions that double each other reach any
/// number.
struct Value {
  i64 number = 0;  ///< for an address in a section that is not placed yet: offset from the start of the section
  u64 addresses = 0;
  u32 section = 0;  ///< of the addresses; 0 if they are absolute
};

enum class Operation : u8 {
  number,
  symbol,
  location,  // an address: that of the statement, `.`, or the saved value of a named one
  negate,
  complement,
  logical_not,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  call,  // of a function, with the values before it as its arguments
};

/// The part of an address that a dword contains: `label@rel32@lo` and the like, as compilers write it.
enum class Relocation : u8 { none, abs32_lo, abs32_hi, rel32_lo, rel32_hi };

/// A suffix that is allowed after the `@` of a symbol.
struct RelocationName {
  std::string_view name;
  Relocation relocation;
  bool of_table = false;  ///< the address is that of the symbol's entry in the global offset table
};

/// One step of an expression in postfix order.
struct ExpressionStep {
  Operation operation{};
  u32 symbol = 0;  ///< with `symbol`
  Value value;     ///< with `number` and `location`
  TextPosition place;
  Function function{};  ///< with `call`
  u32 arguments = 0;    ///< with `call`
};

/// An expression as steps for a stack machine; evaluation needs no recursion.
struct Expression {
  std::vector<ExpressionStep> steps;
  Relocation relocation = Relocation::none;
  TextPosition place;      ///< of its first token
  std::string_view text;   ///< as written
  bool in_digits = false;  ///< a single hexadecimal, binary or octal number: bits rather than a quantity

  /// The value if the expression consists of numbers only.
  [[nodiscard]] bool is_constant() const;
  /// True if the expression contains the address of the statement.
  [[nodiscard]] bool has_location() const;
};

/// Symbols: labels, constants of `.set`, and names that are used before their definition.
class SymbolTable {
 public:
  enum class Kind : u8 { undefined, label, constant, deferred };
  struct Entry {
    std::string_view name;
    Kind kind = Kind::undefined;
    bool fixed = false;                ///< a label or `.equiv`: cannot be defined again
    bool external = false;             ///< from `Options::externals`
    bool elsewhere = false;            ///< a label in a section that is not assembled
    bool implied = false;              ///< has a default value if the text does not define it; undefined for `.ifdef`
    bool weak = false;                 ///< `.weak`
    bool awaited = false;              ///< used before its value was known; the use takes the final value
    TextPosition place;                ///< of the definition
    TextPosition used_at;              ///< where its entry in the global offset table is first used
    Value value;                       ///< of a label or constant
    Expression expression{};           ///< of a deferred definition
    std::optional<u32> table_entry{};  ///< the symbol of its entry in the global offset table
    std::optional<u32> entry_of{};     ///< the symbol whose entry this is
  };

  /// `target`: the processor, which functions of expressions depend on.
  explicit SymbolTable(const Target& target) : target_(target) {}

  [[nodiscard]] const Target& target() const { return target_; }
  /// The number of a name, which is entered as undefined if it is new. Names must outlive the table.
  u32 intern(std::string_view name);
  /// A new entry without a name (numeric labels).
  u32 add_anonymous();
  [[nodiscard]] const Entry& at(u32 symbol) const { return entries_[symbol]; }
  Entry& at(u32 symbol) { return entries_[symbol]; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// The symbol for another symbol's entry in the global offset table, undefined at first.
  u32 table_entry(u32 symbol, const TextPosition& used_at);
  /// All symbols that have such an entry, with their entries, in order of appearance.
  [[nodiscard]] const std::vector<std::pair<u32, u32>>& table_entries() const { return table_entries_; }

  /// Makes all addresses absolute. `bases`: the start addresses of sections by number.
  void place(std::vector<u64> bases);
  [[nodiscard]] Value placed(Value value) const;

  /// The symbol for `1f` and `1b` of numeric labels.
  u32 next_numeric(u64 number);
  std::optional<u32> last_numeric(u64 number) const;
  /// Defines the label that earlier uses of `1f` refer to; returns its symbol.
  u32 define_numeric(u64 number);
  /// True if a name has a value, or will have one when sections are placed (`.ifdef`).
  [[nodiscard]] bool is_defined(u32 symbol);
  /// Counts evaluated steps of expressions.
  void count_steps(u64 steps) { steps_ += steps; }
  /// True if the limit for evaluated steps is exceeded: definitions that refer to each other can make a short text run
  /// for hours.
  [[nodiscard]] bool is_exhausted() const { return steps_ > most_worked_out; }
  /// Gives undefined weak symbols the address 0, as linkers do.
  void settle_weak();
  /// The name of a symbol for messages; for a numeric label its number.
  [[nodiscard]] std::string describe(u32 symbol) const;

 private:
  struct Numeric {
    std::optional<u32> last;
    std::optional<u32> next;
  };
  const Target& target_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, u32> by_name_;
  std::unordered_map<u64, Numeric> numeric_;
  std::vector<std::pair<u32, u32>> table_entries_;
  static constexpr u64 most_worked_out = 100'000'000;

  std::vector<u64> bases_;  ///< of sections; empty until they are placed
  u64 steps_ = 0;           ///< evaluated steps of expressions
};

/// A value for messages: as written if that is a number, else the source text and the value, `BASE+1 (17)`.
std::string describe_value(std::string_view written, i64 value);

/// Parses one expression; reports an error and returns nothing if it is malformed. `location` is the value of `.`.
std::optional<Expression> parse_expression(Lexer& lexer, SymbolTable& symbols, Diagnostics& diagnostics,
                                           const Value& location);

/// The errors that are reported for an expression without a value.
enum class Reported : u8 {
  all,
  divisions,  ///< divisions by zero: no later definition can correct them
  nothing,
};

/// The value of the expression, or nothing if it is unknown. A deferred name whose value is known becomes a constant,
/// so that no definition is evaluated twice.
std::optional<Value> evaluate(const Expression& expression, SymbolTable& symbols, Diagnostics& diagnostics,
                              Reported reported = Reported::all);

/// Limits for the steps of one expression, and for nested parentheses and signs around one of its parts.
inline constexpr std::size_t most_steps = 4096;
inline constexpr u32 deepest_nesting = 200;
/// Limit for the chain of names that a definition refers to: a compiler defines the resources of a function by those of
/// the functions that it calls.
inline constexpr u32 deepest_definition = 256;

}  // namespace salu::assembler
