#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <vector>

#include "debug/expression.hpp"

namespace salu::debug {

/// What a watchpoint looks for.
enum class WatchKind : u8 {
  change,  ///< another value than before
  read,    ///< an instruction that reads it
  access,  ///< an instruction that reads or writes it, whatever the value
};

/// Where, or at what, a run is to stand still.
struct Breakpoint {
  enum class Kind : u8 { address, mnemonic, watch };

  u32 id = 0;
  Kind kind = Kind::address;
  std::string what;                   ///< as the user wrote it
  std::vector<u64> addresses;         ///< of an `address`: one, or all that a source line has
  std::optional<Expression> watched;  ///< of a `watch`
  WatchKind watch = WatchKind::change;
  std::optional<Expression> condition;
  u64 ignore = 0;  ///< hits to pass over
  u64 hits = 0;    ///< so far, those that were passed over included
  bool enabled = true;
  bool temporary = false;  ///< gone after the first stop
};

/// A watchpoint that was hit.
struct WatchHit {
  u32 id = 0;
  Value before;  ///< in front of the instruction
  Value after;   ///< behind it
  u64 pc = 0;    ///< of the instruction
  bool read = false;
  bool written = false;
};

/// Why a session stands still.
struct Pause {
  enum class Reason : u8 {
    start,       ///< of the run: there is nothing to go back to
    step,        ///< what was asked for is done
    breakpoint,  ///< `breakpoints` says which
    watchpoint,  ///< `watches` says which
    ended,       ///< the program has ended
    limit,       ///< so many instructions were executed in one go
    interrupted,
  };
  Reason reason = Reason::step;
  std::vector<u32> breakpoints;
  std::vector<WatchHit> watches;
};

}  // namespace salu::debug
