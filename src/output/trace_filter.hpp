#pragma once

#include <salu/location.hpp>
#include <salu/program.hpp>
#include <salu/trace.hpp>

#include <string>
#include <vector>

namespace salu::output {

/// A `TraceSelection` resolved for one program.
class TraceFilter {
 public:
  /// Fails for an invalid selection; the place of the error is the option as the user wrote it.
  static Result<TraceFilter> make(const TraceSelection& selection, const Program& program);

  [[nodiscard]] bool is_step_asked_for(u64 step) const { return step >= first_step_ && step <= last_step_; }
  /// True if all other lists accept an instruction.
  [[nodiscard]] bool lets_through(const TraceEvent& event) const;

 private:
  /// Addresses of bytes, both ends included.
  struct Range {
    u64 first = 0;
    u64 last = 0;
  };

  std::optional<Error> add_mnemonic(const std::string& text, Generation generation);
  std::optional<Error> add_place(const std::string& text, const Program& program);
  std::optional<Error> add_write(const std::string& text, Generation generation);
  [[nodiscard]] bool fits_write(const LocationValue& written) const;

  std::vector<std::string> mnemonics_;
  std::vector<Range> places_;
  std::vector<Location> writes_;
  std::vector<Range> memory_writes_;
  bool any_write_ = true;
  u64 first_step_ = 0;
  u64 last_step_ = 0;
};

}  // namespace salu::output
