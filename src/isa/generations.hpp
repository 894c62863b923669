#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <utility>

/// Sets of generations, by which rows of the tables state where they apply, and tables with a value for each
/// generation.
namespace salu::isa {

/// A set of generations. Generations that share a column of rows (`GenerationInfo::column`) are in it together.
class GenerationSet {
 public:
  constexpr GenerationSet() = default;

  [[nodiscard]] constexpr bool contains(Generation generation) const { return (bits_ & bit(generation)) != 0; }

  /// The generations whose columns are between those of `first` and `last`, inclusive: of GCN and CDNA, or of RDNA if
  /// both ends are RDNA. Compile time only. Both ends must have their own column; a row for a generation without one is
  /// a row for the generation that it shares a column with.
  static consteval GenerationSet between(Generation first, Generation last) {
    if (generation_info(first).column != first || generation_info(last).column != last) throw "no column of its own";
    if (is_rdna(first) != is_rdna(last)) throw "RDNA has rows of its own";
    GenerationSet set;
    for (std::size_t i = 0; i < generation_count; ++i) {
      const Generation column = generation_table[i].column;
      if (first <= column && column <= last && is_rdna(column) == is_rdna(first))
        set.bits_ |= bit(static_cast<Generation>(i));
    }
    return set;
  }

  friend constexpr GenerationSet operator|(GenerationSet a, GenerationSet b) {
    return GenerationSet(a.bits_ | b.bits_);
  }
  /// The generations that are in `a` and not in `b`.
  friend constexpr GenerationSet operator-(GenerationSet a, GenerationSet b) {
    return GenerationSet(a.bits_ & ~b.bits_);
  }
  friend constexpr auto operator<=>(const GenerationSet&, const GenerationSet&) = default;

 private:
  static_assert(generation_count <= 32);

  static constexpr bool is_rdna(Generation generation) { return generation_info(generation).family == Family::rdna; }
  explicit constexpr GenerationSet(u32 bits) : bits_(bits) {}
  static constexpr u32 bit(Generation generation) { return 1U << static_cast<u32>(generation); }

  u32 bits_ = 0;
};

/// `GenerationSet::contains` as a function.
constexpr bool contains(GenerationSet set, Generation generation) { return set.contains(generation); }

/// The encoding of the generation's scalar memory instructions.
constexpr ScalarMemory scalar_memory(Generation generation) { return generation_info(generation).scalar_memory; }
/// True if scalar memory instructions have one dword, whose offset counts dwords.
constexpr bool is_smrd(Generation generation) { return scalar_memory(generation) <= ScalarMemory::smrd_literal; }

/// The sets of generations that rows name.
namespace generations {
inline constexpr Generation oldest = Generation::gcn1_0;
/// The last column that open-ended rows include. To extend them to a later column, name it here.
inline constexpr Generation newest = Generation::cdna3;

static_assert(std::ranges::all_of(generation_table,
                                  [](const GenerationInfo& info) {
                                    return info.family == Family::rdna ||
                                           (oldest <= info.column && info.column <= newest);
                                  }),
              "a column of GCN or CDNA that no row with an open end reaches: "
              "see docs/development/adding-a-generation.md");

consteval GenerationSet from(Generation first) { return GenerationSet::between(first, newest); }
consteval GenerationSet up_to(Generation last) { return GenerationSet::between(oldest, last); }
consteval GenerationSet between(Generation first, Generation last) { return GenerationSet::between(first, last); }
consteval GenerationSet only(Generation generation) { return GenerationSet::between(generation, generation); }
inline constexpr GenerationSet all = from(oldest);
}  // namespace generations

/// One value for each generation.
template <class Value>
class GenerationTable {
 public:
  /// `make(generation)` returns each value.
  template <class Make>
  explicit constexpr GenerationTable(Make make) : GenerationTable(make, std::make_index_sequence<generation_count>()) {}

  constexpr const Value& operator[](Generation generation) const {
    return values_[static_cast<std::size_t>(generation)];
  }

 private:
  template <class Make, std::size_t... Index>
  constexpr GenerationTable(Make& make, std::index_sequence<Index...> /*indices*/)
      : values_{make(static_cast<Generation>(Index))...} {}

  std::array<Value, generation_count> values_;
};

}  // namespace salu::isa
