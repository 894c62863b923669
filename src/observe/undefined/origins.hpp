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

/// The number of an origin; 0 is none. The highest bit says that it began with a vector instruction that was passed
/// over.
using OriginId = u32;
inline constexpr OriginId skipped_bit = OriginId{1} << 31;

/// Which of two origins is told of what comes of both: the first, but for one that began with a skipped instruction,
/// whose result is nobody's.
constexpr OriginId decisive(OriginId first, OriginId second) {
  return first == 0 || (second & ~first & skipped_bit) != 0 ? second : first;
}

/// Why something is not what it seems: who left it so, or by which instruction it came from another place. The kind
/// says what it is about, so that what is followed need not be undefined bits alone.
struct Origin {
  enum class Kind : u8 {
    never_written,         ///< nothing has written it
    uninitialised_memory,  ///< likewise of memory whose contents nobody gave
    given,                 ///< whoever started the run said so
    skipped_vector,        ///< a vector instruction that was passed over would have written it
    unspecified_result,    ///< the manuals do not define the result
    approximate_result,    ///< hardware may make another one
    assumed,               ///< whoever started the run said what the instruction does
    derived,               ///< an instruction made it of `from`
  };
  Kind kind{};
  u64 pc = 0;        ///< of the instruction, where there is one
  Location place{};  ///< what it left so; none where it is derived
  u64 step = 0;      ///< of the instruction, counted from 1; when it first did so
  OriginId from = 0;
  u32 links = 0;            ///< how many instructions there are between this and where it began
  bool leaves_out = false;  ///< some of those in between are not told
};

/// All origins of a run. What an instruction makes again of the same is the same origin, so that a loop does not make
/// more and more of them.
class Origins {
 public:
  static constexpr u32 most_links = 8;

  OriginId begin(Origin::Kind kind, u64 pc, const Location& place, u64 step);
  /// What an instruction made of another one.
  OriginId derive(OriginId from, u64 pc, u64 step) {
    Derived& recent = recent_[(pc / 4 + u64{from} * 7) % recent_.size()];
    if (recent.from != from || recent.pc != pc) recent = {pc, from, derive_anew(from, pc, step)};
    return recent.id;
  }

  [[nodiscard]] const Origin& operator[](OriginId id) const { return all_[index_of(id)]; }
  /// Where it began.
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
  std::array<Derived, 64> recent_{};  ///< what loops derive again and again
};

/// `never written`, `unspecified result`, ...: the stable name of what began it.
std::string_view origin_name(Origin::Kind kind);

}  // namespace salu::observe::undefined
