#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <optional>

#include "dap/arguments.hpp"
#include "debug/session.hpp"

// The threads of the protocol: the waves of the work-groups that run. Their IDs are the numbers of the waves, plus 1.
// The IDs of stack frames and of groups of variables contain the place of the wave among these waves.
namespace salu::dap {

/// The thread of the selected wave.
[[nodiscard]] u64 thread_of(const debug::Session& session);
/// The threads, with their names; `program` is that of the program.
[[nodiscard]] Json list_threads(const debug::Session& session, const std::string& program);
/// Returns the wave of a thread.
Result<u64> find_wave_of_thread(const debug::Session& session, u64 thread);

/// A stack frame or a group of variables of a wave.
struct WaveId {
  u64 wave = 0;  ///< number
  u64 id = 0;    ///< within the wave, from 1; less than `ids_per_wave` if several waves run
};
inline constexpr u64 ids_per_wave = u64{1} << 20;
/// Splits the ID of a stack frame or of variables. Returns nothing if it belongs to no wave that runs.
[[nodiscard]] std::optional<WaveId> split_id(const debug::Session& session, u64 id);
/// The number to add to the IDs of the selected wave.
[[nodiscard]] u64 first_id(const debug::Session& session);

/// Selects a wave during its lifetime.
class SelectedWave {
 public:
  SelectedWave(debug::Session& session, u64 number) : session_(session), before_(session.wave().number) {
    (void)session.choose_wave(number);
  }
  SelectedWave(const SelectedWave&) = delete;
  SelectedWave& operator=(const SelectedWave&) = delete;
  ~SelectedWave() { (void)session_.choose_wave(before_); }

 private:
  debug::Session& session_;
  u64 before_;
};

}  // namespace salu::dap
