#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>

#include <optional>
#include <string>
#include <vector>

#include "observe/past.hpp"

/// Why a value is what it is: the instructions that made it, what they made it of, and who made that.
namespace salu::observe {

/// Some bits of a dword of the state or of memory.
struct Bits {
  Location place;  ///< one dword
  u32 mask = 0;

  [[nodiscard]] Cell cell() const { return cell_of(place, 0); }
  friend bool operator==(const Bits&, const Bits&) = default;
};

/// Bits that somebody asked about or that an instruction made something of, and where they come from.
struct WhySource {
  enum class Role : u8 {
    asked,    ///< nobody: it was asked about
    value,    ///< the result would be another one with another value here
    address,  ///< it chose which register, which entry of the control stack or which memory was read or written
    lane,     ///< the lane of EXEC that let the instruction write its lane of a vector register
  };
  enum class Origin : u8 {
    link,          ///< an instruction that is a link of the graph, or whoever set it from outside
    start,         ///< it had been given a value before the first instruction
    nothing,       ///< nothing has given it a value
    not_followed,  ///< a role that was not to be followed
    limit,         ///< a limit was reached
  };
  Bits bits;
  u32 value = 0;  ///< of the whole dword
  Role role = Role::value;
  Origin origin = Origin::limit;
  std::size_t link = 0;  ///< of `link`: index in `WhyGraph::links`
  bool follows = false;  ///< it is the next dword of what the source in front of it is part of
};

/// An instruction that wrote some of the bits in question.
struct WhyLink {
  u64 position = 0;  ///< instructions executed before it; of an edit, those before what was set
  u64 pc = 0;
  std::string text;                       ///< the instruction; empty for an edit
  bool is_edit = false;                   ///< it was set from outside the program
  u32 depth = 1;                          ///< links from what was asked to this one
  std::vector<Bits> written;              ///< the bits that are asked about
  std::vector<u32> values;                ///< by `written`: the dword behind the instruction
  std::vector<WhySource> sources;         ///< what mattered, in the order in which the instruction names it
  std::optional<u64> went_to;             ///< of a decision that another link hangs on: where the run went on
  std::optional<std::size_t> decided_by;  ///< the link whose decision made this one run, where that is followed
  /// Of a write over an entry of the control stack while lanes waited in it.
  struct Overwritten {
    u32 entry = 0;
    u64 pc = 0;                   ///< of the fork that had pushed it
    std::optional<u64> position;  ///< where it did, if that was found
    std::string text;             ///< the fork
  };
  std::optional<Overwritten> overwritten;

  /// The number that traces give the instruction.
  [[nodiscard]] u64 step() const { return position + 1; }
};

/// Who made what was asked about. Each instruction is one link, whoever leads to it; links are in the order of time,
/// the last first, so that sources come from links behind their own.
struct WhyGraph {
  u64 position = 0;              ///< where it was asked
  std::vector<WhySource> asked;  ///< by what was asked
  std::vector<WhyLink> links;
  bool is_cut = false;  ///< a limit kept more from being found
};

struct WhyOptions {
  u32 most_depth = 1'000'000;
  std::size_t most_links = 32;
  bool follow_addresses = false;
  bool follow_lanes = false;
  bool follow_decisions = false;  ///< branches, forks and joins that made links run
  bool find_inputs = true;        ///< else links may lack their sources: who wrote it is enough
};

/// Goes back through a run from a position (what was set there counts).
WhyGraph find_why(const Past& past, const std::vector<Bits>& asked, u64 position, const WhyOptions& options);

/// All bits of a place, dword after dword.
std::vector<Bits> whole_bits(const Location& place);

}  // namespace salu::observe
