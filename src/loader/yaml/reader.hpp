#pragma once

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

/// Readers for pieces of a document. All of them reject with the place of the node that is wrong.
namespace salu::loader {

/// A map whose keys are known in advance.
class MapReader {
 public:
  /// Rejects what is no map, and a key that is not in `known` (naming the nearest ones). `what` names the map: `a
  /// memory block`.
  MapReader(const Document& document, const Node& map, std::string_view what, std::span<const std::string_view> known);

  /// The value of a key; null when it is absent. A key with nothing behind it is rejected.
  [[nodiscard]] const Node* find(std::string_view key) const;
  /// The same, but the key has to be there.
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

/// A text, quoted or not.
const std::string& read_text(const Document& document, const Node& node, std::string_view what);
void expect_sequence(const Document& document, const Node& node, std::string_view what);

/// What kind of value a node is, for messages: `a list`, `a map`, `nothing`, `` `text` ``.
std::string describe(const Node& node);

/// Labels and symbols of a program, by name.
class SymbolIndex {
 public:
  explicit SymbolIndex(const Program& program);

  struct Match {
    u64 address = 0;
    u32 count = 0;  ///< different addresses of that name
  };
  [[nodiscard]] Match find(std::string_view name) const;
  /// `; did you mean ...?` or `; the program has ...`
  [[nodiscard]] std::string hint(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, Match> matches_;
  std::vector<std::string_view> names_;
};

/// Which values are allowed besides integers.
struct ValueKinds {
  const SymbolIndex* symbols = nullptr;  ///< labels and symbols; null: not here
  bool floats = false;                   ///< {f32: 1.5} and {f64: 1.5}
};

/// A number of `bits` bits; what does not fit is rejected. `what` names the place: `s3`, `a word`.
Number read_value(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds = {});
/// The same as a plain integer, for up to 64 bits.
u64 read_number(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds = {});
/// The same for what cannot be negative: addresses, sizes, counts.
u64 read_unsigned(const Document& document, const Node& node, std::string_view what, u32 bits, ValueKinds kinds = {});

/// Reads a number of bytes: `65536`, `64 KiB`, `512MiB`, `2 GiB`.
u64 read_size(const Document& document, const Node& node, std::string_view what);

}  // namespace salu::loader
