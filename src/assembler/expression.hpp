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

/// What an expression comes to. `addresses` counts labels, a subtracted one as -1: 1 is an address, 0 a plain number (a
/// difference of labels included). It wraps, because definitions that double each other come to any number.
struct Value {
  i64 number = 0;  ///< of an address in a section that is not placed yet: from the section's beginning
  u64 addresses = 0;
  u32 section = 0;  ///< that the addresses are in; 0 where they are absolute
};

enum class Operation : u8 {
  number,
  symbol,
  location,  // an address: that of the statement, `.`, or what has become of one that was given a name
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

/// What of an address goes into a dword: `label@rel32@lo` and the like, as compilers write it.
enum class Relocation : u8 { none, abs32_lo, abs32_hi, rel32_lo, rel32_hi };

/// What can be written behind the `@` of a symbol.
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
  bool in_digits = false;  ///< one hexadecimal, binary or octal number: bits rather than a quantity

  /// The value when nothing but numbers is in it.
  [[nodiscard]] bool is_constant() const;
  /// Whether the address of the statement is in it.
  [[nodiscard]] bool has_location() const;
};

/// Names: labels, constants of `.set`, and names that are used before they are defined.
class SymbolTable {
 public:
  enum class Kind : u8 { undefined, label, constant, deferred };
  struct Entry {
    std::string_view name;
    Kind kind = Kind::undefined;
    bool fixed = false;                ///< a label or `.equiv`: may not be defined again
    bool external = false;             ///< of `Options::externals`
    bool elsewhere = false;            ///< a label of a section that is not assembled
    bool implied = false;              ///< has a value where the text gives it none, and is not defined for `.ifdef`
    bool weak = false;                 ///< `.weak`
    bool awaited = false;              ///< used where its value was not known, and stands for what it has in the end
    TextPosition place;                ///< of the definition
    TextPosition used_at;              ///< where its entry in the global offset table is first asked for
    Value value;                       ///< of a label or constant
    Expression expression{};           ///< of a deferred one
    std::optional<u32> table_entry{};  ///< the symbol of its entry in the global offset table
    std::optional<u32> entry_of{};     ///< the symbol that it is such an entry of
  };

  /// `target`: the processor, which functions of expressions depend on.
  explicit SymbolTable(const Target& target) : target_(target) {}

  [[nodiscard]] const Target& target() const { return target_; }
  /// The number of a name, entered as undefined if it is new. Names must outlive the table.
  u32 intern(std::string_view name);
  /// A new entry that no name leads to (numeric labels).
  u32 add_anonymous();
  [[nodiscard]] const Entry& at(u32 symbol) const { return entries_[symbol]; }
  Entry& at(u32 symbol) { return entries_[symbol]; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// The symbol of another symbol's entry in the global offset table, undefined at first.
  u32 table_entry(u32 symbol, const TextPosition& used_at);
  /// All symbols with such an entry, and their entries, in order of appearance.
  [[nodiscard]] const std::vector<std::pair<u32, u32>>& table_entries() const { return table_entries_; }

  /// Makes all addresses absolute, now that the beginnings of sections are known, by number.
  void place(std::vector<u64> bases);
  [[nodiscard]] Value placed(Value value) const;

  /// The `1f` and `1b` of numeric labels.
  u32 next_numeric(u64 number);
  std::optional<u32> last_numeric(u64 number) const;
  /// Defines the label that `1f` has been standing for; returns its symbol.
  u32 define_numeric(u64 number);
  /// Whether a name has a value, or would have one if it were known where everything lies (`.ifdef`).
  [[nodiscard]] bool is_defined(u32 symbol);
  /// Says that so many steps of expressions are worked out.
  void count_steps(u64 steps) { steps_ += steps; }
  /// Whether working out expressions has taken so long that it has to end: definitions may refer to each other so that
  /// a short text comes to hours.
  [[nodiscard]] bool is_exhausted() const { return steps_ > most_worked_out; }
  /// Gives weak symbols that nothing defines the address 0, as linkers do.
  void settle_weak();
  /// The number that an entry of `next_numeric` was made for, for messages.
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
  u64 steps_ = 0;           ///< of expressions that have been worked out
};

/// A value for messages: as written when that is a number, else what was written and what it came to, `BASE+1 (17)`.
std::string describe_value(std::string_view written, i64 value);

/// Parses one expression; reports what is wrong and returns nothing then. `location` is the value of `.`.
std::optional<Expression> parse_expression(Lexer& lexer, SymbolTable& symbols, Diagnostics& diagnostics,
                                           const Value& location);

/// What is reported of an expression that has no value.
enum class Reported : u8 {
  all,
  divisions,  ///< those by zero: no definition that is still to come can mend them
  nothing,
};

/// The expression's value, or nothing when it has none. A deferred name whose value turns out to be known is a constant
/// from then on, so that no definition is worked out twice.
std::optional<Value> evaluate(const Expression& expression, SymbolTable& symbols, Diagnostics& diagnostics,
                              Reported reported = Reported::all);

/// Most steps of one expression, and most parentheses and signs around one of its parts.
inline constexpr std::size_t most_steps = 4096;
inline constexpr u32 deepest_nesting = 200;
/// Most names that the definition of a name goes through: a compiler defines the resources of a function by those of
/// the functions that it calls.
inline constexpr u32 deepest_definition = 256;

}  // namespace salu::assembler
