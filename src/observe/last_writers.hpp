#pragma once

#include <salu/location.hpp>
#include <salu/run.hpp>

#include <optional>
#include <string>
#include <vector>

namespace salu::observe {

/// Observes a run and records, for each of some places, the last instruction that wrote any part of it.
class LastWriters {
 public:
  explicit LastWriters(std::vector<Location> places) : places_(std::move(places)), writers_(places_.size()) {}

  /// Must be called with each instruction of the run, as `RunOptions::trace`. `is_own`: false for an instruction of
  /// another wave than that of the registers among the places; then only memory counts.
  void see(const TraceEvent& event, bool is_own = true);

  struct Writer {
    u64 step = 0;  ///< counts from 1
    u64 wave = 0;  ///< as `TraceEvent::wave`
    u64 pc = 0;
    std::string instruction;
  };
  /// By index of the place; nothing if no instruction wrote any part of it.
  [[nodiscard]] const std::optional<Writer>& of(std::size_t place) const { return writers_[place]; }

 private:
  std::vector<Location> places_;
  std::vector<std::optional<Writer>> writers_;
};

}  // namespace salu::observe
