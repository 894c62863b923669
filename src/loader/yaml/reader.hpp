#pragma once

#include <salu/float_format.hpp>
#include <salu/integer.hpp>
#include <salu/program.hpp>

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loader/number.hpp"
#include "loader/yaml/yaml_tree.hpp"
#include "support/names.hpp"

/// Readers for parts of a document. All report errors at the invalid node.
namespace salu::loader {

/// A map whose keys are known in advance.
class MapReader {
 public:
  /// Rejects a node that is not a map, and a key that is not in `known` (with suggestions). `what` names the map: `a
  /// memory block`.
  MapReader(const Document& document, const Node& map, std::string_view what, std::span<const std::string_view> known);

  /// Returns the value of a key; null if it is absent. A key without a value is rejected.
  [[nodiscard]] const Node* find(std::string_view key) const;
  /// Returns the value of a key; rejects a map without it.
  [[nodiscard]] const Node& require(std::string_view key) const;
  [[nodiscard]] const Node& node() const { return map_; }

 private:
  const Document& document_;
  const Node& map_;
  std::string what_;
};

using support::did_you_mean;
using support::name_list;
using support::quote;

/// Reads a text, quoted or not.
const std::string& read_text(const Document& document, const Node& node, std::string_view what);
void expect_sequence(const Document& document, const Node& node, std::string_view what);

/// Describes the value of a node for messages: `a list`, `a map`, `nothing`, `` `text` ``.
std::string describe(const Node& node);

/// Labels and symbols of a program, by name.
class SymbolIndex {
 public:
  explicit SymbolIndex(const Program& program);

  struct Match {
    u64 address = 0;
    u32 count = 0;  ///< number of different addresses with this name
  };
  [[nodiscard]] Match find(std::string_view name) const;
  /// `; did you mean ...?` or `; the program has ...`
  [[nodiscard]] std::string hint(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, Match> matches_;
  std::vector<std::string_view> names_;
};

/// The kinds of values that are allowed in addition to integers.
struct ValueKinds {
  const SymbolIndex* symbols = nullptr;  ///< labels and symbols; null: not allowed
  bool floats = false;                   ///< {f16: 1.5}, {f32: 1.5} and {f64: 1.5}
};

/// Floating-point numbers: `{f32: 1.5}`, or several in a list.
struct FloatNode {
  FloatFormat format{};
  const Node* numbers = nullptr;
};
/// Returns the numbers of a map with one of the keys `f16`, `f32` and `f64`; nothing for another node.
std::optional<FloatNode> find_floats(const Node& node);
/// A value as a map with a float format as its key: 1.5 as {f32: 1.5}. The value must outlive it.
class FloatMap {
 public:
  FloatMap(const Node& value, FloatFormat format);
  FloatMap(const FloatMap&) = delete;
  FloatMap(FloatMap&&) = delete;
  FloatMap& operator=(const FloatMap&) = delete;
  FloatMap& operator=(FloatMap&&) = delete;
  ~FloatMap() = default;
  [[nodiscard]] const Node& node() const { return map_; }

 private:
  Node key_;
  Node map_;
};
/// Reads a floating-point number and returns its bits. Two numbers of 16 bits in a list are the low and the high half
/// of a dword.
u64 read_float(const Document& document, const Node& node, std::string_view what, FloatFormat format);
/// The bits of the values that `read_float` reads from a node: 32 for a list of two numbers of 16 bits.
u32 float_width(const Node& node, FloatFormat format);

/// Reads a number of `bits` bits and rejects larger ones. `what` names the place in messages: `s3`, `a word`.
Number read_value(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds = {});
/// Reads a number of up to 64 bits as a plain integer.
u64 read_number(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds = {});
/// Reads a number that cannot be negative: an address, a size, a count.
u64 read_unsigned(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds = {});

/// Reads a number of bytes: `65536`, `64 KiB`, `512MiB`, `2 GiB`.
u64 read_size(const Document& document, const Node& node, std::string_view what);

}  // namespace salu::loader
