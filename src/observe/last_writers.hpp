#pragma once

#include <salu/location.hpp>
#include <salu/run.hpp>

#include <optional>
#include <string>
#include <vector>

namespace salu::observe {

/// Looks on at a run, and remembers for each of some places the instruction that wrote any of it last.
class LastWriters {
 public:
  explicit LastWriters(std::vector<Location> places) : places_(std::move(places)), writers_(places_.size()) {}

  /// The next instruction of the run, for `RunOptions::trace`.
  void see(const TraceEvent& event);

  struct Writer {
    u64 step = 0;  ///< counts from 1
    u64 pc = 0;
    std::string instruction;
  };
  /// By the order of the places; nothing where no instruction wrote any of it.
  [[nodiscard]] const std::optional<Writer>& of(std::size_t place) const { return writers_[place]; }

 private:
  std::vector<Location> places_;
  std::vector<std::optional<Writer>> writers_;
};

}  // namespace salu::observe
