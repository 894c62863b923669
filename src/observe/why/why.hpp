#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>

#include <optional>
#include <string>
#include <vector>

#include "observe/past.hpp"

/// Explains a value: the instructions that computed it, their inputs, and the instructions that computed those.
namespace salu::observe {

/// Some bits of a dword of the state or of memory.
struct Bits {
  Location place;  ///< one dword
  u32 mask = 0;

  [[nodiscard]] Cell cell() const { return cell_of(place, 0); }
  friend bool operator==(const Bits&, const Bits&) = default;
};

/// Bits of the question, or inputs of an instruction, and their source.
struct WhySource {
  enum class Role : u8 {
    asked,    ///< part of the question
    value,    ///< an input value: the result would differ with another value
    address,  ///< it selected the register, the entry of the control stack or the memory that was read or written
    lane,     ///< the lane of EXEC that allowed the instruction to write its lane of a vector register
  };
  enum class Origin : u8 {
    link,          ///< an instruction that is a link of the graph, or an edit from outside
    start,         ///< set before the first instruction
    nothing,       ///< never set
    not_followed,  ///< its role is not followed
    limit,         ///< a limit was reached
  };
  Bits bits;
  u32 value = 0;  ///< of the whole dword
  Role role = Role::value;
  Origin origin = Origin::limit;
  std::size_t link = 0;  ///< for `link`: index in `WhyGraph::links`
  bool follows = false;  ///< the next dword of the same place as the previous source
};

/// An instruction that wrote some of the bits in question.
struct WhyLink {
  u64 wave = 0;      ///< number of the wave that executed it, or that the edit changed
  u64 position = 0;  ///< instructions executed before it; for an edit, those before the change
  u64 pc = 0;
  std::string text;                       ///< the instruction; empty for an edit
  bool is_edit = false;                   ///< set from outside the program
  u32 depth = 1;                          ///< number of links from the question to this one
  std::vector<Bits> written;              ///< the bits in question
  std::vector<u32> values;                ///< by `written`: the dword after the instruction
  std::vector<WhySource> sources;         ///< the inputs that mattered, in the order of the operands
  std::optional<u64> went_to;             ///< for a decision that controls another link: the next address
  std::optional<std::size_t> decided_by;  ///< the link with the controlling decision, if decisions are followed
  /// For a write to an entry of the control stack while lanes waited in it.
  struct Overwritten {
    u32 entry = 0;
    u64 pc = 0;                   ///< of the fork that had pushed it
    std::optional<u64> position;  ///< of the push, if it was found
    std::string text;             ///< the fork
  };
  std::optional<Overwritten> overwritten;

  /// The number of the instruction in traces.
  [[nodiscard]] u64 step() const { return position + 1; }
};

/// The instructions that produced the bits in question. Each instruction is one link, even if several sources refer to
/// it. Links are in reverse order of time, so sources refer to later entries.
struct WhyGraph {
  bool has_several_waves = false;
  u64 wave = 0;                  ///< number of the wave of the question
  u64 position = 0;              ///< of the question
  std::vector<WhySource> asked;  ///< by bits of the question
  std::vector<WhyLink> links;
  bool is_cut = false;  ///< a limit was reached; links are missing
};

struct WhyOptions {
  u32 most_depth = 1'000'000;
  std::size_t most_links = 32;
  bool follow_addresses = false;
  bool follow_lanes = false;
  bool follow_decisions = false;  ///< branches, forks and joins that control links
  bool find_inputs = true;        ///< false: links may lack their sources; the writers are sufficient
};

/// Searches a run backwards from a position (including edits at the position). `wave`: number of the wave whose
/// registers, and whose view of memory, are asked for; if its work-group does not run at the position, the wave that
/// does.
WhyGraph find_why(const Past& past, const std::vector<Bits>& asked, u64 wave, u64 position, const WhyOptions& options);

/// All bits of a place, one entry per dword.
std::vector<Bits> whole_bits(const Location& place);

}  // namespace salu::observe
