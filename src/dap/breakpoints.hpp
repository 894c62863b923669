#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dap/arguments.hpp"
#include "dap/launch.hpp"

namespace salu::dap {

enum class BreakpointKind : u8 { source, function, instruction, data };
/// What a `stopped` event calls a stop at one.
const char* reason_of(BreakpointKind kind);

/// A breakpoint as a client asks for it.
struct BreakpointWish {
  BreakpointKind kind = BreakpointKind::source;
  std::string path{};                                 ///< `source`: of the file; empty for the listing
  u32 line = 0;                                       ///< `source`
  std::string what{};                                 ///< a label or mnemonic, an address, an expression
  debug::WatchKind watch = debug::WatchKind::change;  ///< `data`
  std::string condition{};
  std::string hit_condition{};
  std::string log_message{};

  friend bool operator==(const BreakpointWish&, const BreakpointWish&) = default;
};

/// What a client has set, kept over restarts and from before there is a program; and the session's breakpoints that
/// stand for it.
class Breakpoints {
 public:
  /// Replaces all of a kind (of `source`: all of a file). The answer has one entry for each wish, in order.
  Json replace(BreakpointKind kind, const std::string& path, const std::vector<BreakpointWish>& wishes);
  /// Sets everything in a new program, or forgets the old one: null. What a client has to be told of, as `breakpoint`
  /// events carry it.
  std::vector<Json> set_in(Debuggee* debuggee);
  /// Those that somebody removed from the session, likewise.
  std::vector<Json> take_removed();

  /// Breakpoints as a client knows them.
  struct Known {
    BreakpointKind kind = BreakpointKind::source;  ///< of the first
    std::vector<u32> ids;
  };
  /// Those that a session stands at; others may have been set in the console.
  [[nodiscard]] Known recognize(const debug::Pause& pause) const;

 private:
  struct Entry {
    BreakpointWish wish;
    u32 id = 0;                       ///< what the client knows it by
    std::optional<u32> session_id{};  ///< none: it is not set
    std::string problem{};            ///< why not
    u64 address = 0;                  ///< the first that it stops at; 0 for `data` and mnemonics
  };

  void set(Entry& entry);
  Result<u32> set_in_session(Entry& entry);
  Result<u32> set_place(const Entry& entry);
  Result<u32> set_at_line(const Entry& entry);
  void unset(Entry& entry);
  [[nodiscard]] Json describe(const Entry& entry) const;
  [[nodiscard]] const Entry* find(u32 session_id) const;

  Debuggee* debuggee_ = nullptr;
  bool is_without_debugging_ = false;  ///< there is a program, but none to set anything in
  std::vector<Entry> entries_;
  u32 next_id_ = 1;
};

}  // namespace salu::dap
