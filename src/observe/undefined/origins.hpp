#pragma once

#include <salu/location.hpp>
#include <salu/outcome.hpp>
#include <salu/target.hpp>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace salu::observe::undefined {

/// The number of an origin; 0: no origin. The highest bit is set if the chain starts at a skipped vector instruction.
using OriginId = u32;
inline constexpr OriginId skipped_bit = OriginId{1} << 31;

/// The origin to report for a result that depends on both: the first, but an origin in a skipped instruction has
/// priority.
constexpr OriginId decisive(OriginId first, OriginId second) {
  return first == 0 || (second & ~first & skipped_bit) != 0 ? second : first;
}

/// The origin of undefined bits: the instruction that created them, or the one that copied them from another place.
/// Other properties than undefined bits can be tracked in the same way; see the kind.
struct Origin {
  enum class Kind : u8 {
    never_written,         ///< never written
    uninitialised_memory,  ///< memory whose contents were not given
    given,                 ///< given as undefined at the start of the run
    skipped_vector,        ///< the destination of a skipped vector instruction
    unspecified_result,    ///< the manuals do not define the result
    approximate_result,    ///< the result on hardware may differ
    assumed,               ///< the result of an instruction whose effects are assumed
    derived,               ///< computed by an instruction from `from`
  };
  Kind kind{};
  u64 pc = 0;        ///< address of the instruction, if any
  Location place{};  ///< the place that became undefined; unused for a derived origin
  u64 step = 0;      ///< step of the instruction's first occurrence, counted from 1
  OriginId from = 0;
  u32 links = 0;            ///< number of instructions between this and the first origin
  bool leaves_out = false;  ///< some of these instructions are omitted
};

/// All origins of a run. Repeating the same instruction with the same origin yields the same number, so that a loop
/// does not create more and more origins.
class Origins {
 public:
  static constexpr u32 most_links = 8;

  OriginId begin(Origin::Kind kind, u64 pc, const Location& place, u64 step);
  /// The origin of a result that an instruction computed from another one.
  OriginId derive(OriginId from, u64 pc, u64 step) {
    Derived& recent = recent_[(pc / 4 + u64{from} * 7) % recent_.size()];
    if (recent.from != from || recent.pc != pc) recent = {pc, from, derive_anew(from, pc, step)};
    return recent.id;
  }

  [[nodiscard]] const Origin& operator[](OriginId id) const { return all_[index_of(id)]; }
  /// The first origin of the chain.
  [[nodiscard]] const Origin& first(OriginId id) const;

 private:
  static std::size_t index_of(OriginId id) { return (id & ~skipped_bit) - 1; }
  OriginId add(const Origin& origin);
  OriginId derive_anew(OriginId from, u64 pc, u64 step);

  using Key = std::tuple<Origin::Kind, u64, u32, u64, OriginId>;
  std::vector<Origin> all_;
  std::map<Key, OriginId> ids_;
  struct Derived {
    u64 pc = 0;
    OriginId from = 0;
    OriginId id = 0;
  };
  std::array<Derived, 64> recent_{};  ///< origins that loops derive repeatedly
};

/// `never written`, `unspecified result`, ...: the stable name of the kind of the first origin.
std::string_view origin_name(Origin::Kind kind);

}  // namespace salu::observe::undefined
