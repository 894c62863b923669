#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dap/arguments.hpp"
#include "dap/launch.hpp"

namespace salu::dap {

enum class BreakpointKind : u8 { source, function, instruction, data };
/// The reason of a `stopped` event for a breakpoint of this kind.
const char* reason_of(BreakpointKind kind);

/// The ID of a data breakpoint on the registers of a wave: `s4 wave 1`.
std::string data_id_in_wave(const std::string& expression, u64 wave);
struct BreakpointWish;
/// Reads such an ID, or one that is only an expression.
void read_data_id(const std::string& id, BreakpointWish& wish);

/// A breakpoint that a client requests.
struct BreakpointWish {
  BreakpointKind kind = BreakpointKind::source;
  std::string path{};                                 ///< `source`: of the file; empty for the listing
  u32 line = 0;                                       ///< `source`
  std::string what{};                                 ///< a label or mnemonic, an address, an expression
  std::optional<u64> wave{};                          ///< `data`: number of the wave that has the registers
  debug::WatchKind watch = debug::WatchKind::change;  ///< `data`
  std::string condition{};
  std::string hit_condition{};
  std::string log_message{};

  friend bool operator==(const BreakpointWish&, const BreakpointWish&) = default;
};

/// The breakpoints of a client, kept over restarts and before launch, with the breakpoints of the session that
/// implement them.
class Breakpoints {
 public:
  /// Replaces all breakpoints of a kind (for `source`: of a file). The answer has one entry for each wish, in order.
  Json replace(BreakpointKind kind, const std::string& path, const std::vector<BreakpointWish>& wishes);
  /// Sets all breakpoints in a new program, or drops the program if null. Returns the bodies of `breakpoint` events for
  /// the client.
  std::vector<Json> set_in(Debuggee* debuggee);
  /// Removes breakpoints that were deleted from the session, e.g. in the console. Returns the bodies of their events.
  std::vector<Json> take_removed();

  /// Breakpoints by the IDs of the client.
  struct Known {
    BreakpointKind kind = BreakpointKind::source;  ///< of the first
    std::vector<u32> ids;
  };
  /// The breakpoints at which a session has stopped; the console may have set others.
  [[nodiscard]] Known recognize(const debug::Pause& pause) const;

 private:
  struct Entry {
    BreakpointWish wish;
    u32 id = 0;                       ///< the ID for the client
    std::optional<u32> session_id{};  ///< nothing: not set
    std::string problem{};            ///< the reason if it is not set
    u64 address = 0;                  ///< the first address; 0 for `data` and mnemonics
  };

  void set(Entry& entry);
  Result<u32> set_in_session(Entry& entry);
  Result<u32> set_place(const Entry& entry);
  Result<u32> set_at_line(const Entry& entry);
  Result<u32> set_watch(const BreakpointWish& wish);
  void unset(Entry& entry);
  [[nodiscard]] Json describe(const Entry& entry) const;
  [[nodiscard]] const Entry* find(u32 session_id) const;

  Debuggee* debuggee_ = nullptr;
  bool is_without_debugging_ = false;  ///< launched without debugging: breakpoints cannot be set
  std::vector<Entry> entries_;
  u32 next_id_ = 1;
};

}  // namespace salu::dap
