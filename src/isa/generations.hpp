#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <utility>

/// How tables say which generations a row is for, and tables with a value for each generation.
namespace salu::isa {

/// Some of the generations. Those that share a column of rows (`GenerationInfo::column`) are in it together.
class GenerationSet {
 public:
  constexpr GenerationSet() = default;

  [[nodiscard]] constexpr bool contains(Generation generation) const { return (bits_ & bit(generation)) != 0; }

  /// The generations whose column lies from one to the other, both included: of GCN and CDNA, or of RDNA where the ends
  /// are. At compile time only, and the ends have to be columns: a row that is for a generation without a column of its
  /// own is a row for the one that it shares with.
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
  /// What is in `a` and not in `b`.
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

/// The same as a function.
constexpr bool contains(GenerationSet set, Generation generation) { return set.contains(generation); }

/// How the generation's scalar memory instructions are encoded.
constexpr ScalarMemory scalar_memory(Generation generation) { return generation_info(generation).scalar_memory; }
/// In one dword, whose offset counts dwords.
constexpr bool is_smrd(Generation generation) { return scalar_memory(generation) <= ScalarMemory::smrd_literal; }

/// The words in which rows say where they are.
namespace generations {
inline constexpr Generation oldest = Generation::gcn1_0;
/// The last column that rows reach whose end is open. These rows reach a later column once it is named here.
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
  /// `make(generation)` gives each value.
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
