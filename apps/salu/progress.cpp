#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <utility>

namespace salu::app {
namespace {

/// `1.2 billion`, `438 million`, `97 thousand`.
std::string rounded(double number) {
  if (number >= 1e9) return fmt::format("{:.1f} billion", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.0f} million", number / 1e6);
  if (number >= 1e4) return fmt::format("{:.0f} thousand", number / 1e3);
  return fmt::format("{:.0f}", number);
}

void print_line(const std::string& text) { fmt::print(stderr, "\r\033[K{}", text); }

}  // namespace

Progress::Progress(std::string things) : things_(std::move(things)), is_on_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(u64 done, u64 count) {
  constexpr double pause = 0.2;
  const double now = seconds();
  if (!is_on_ || done == 0 || now < shown_at_ + pause) return;
  shown_at_ = now;
  const double rate = static_cast<double>(done) / now;
  const double left = static_cast<double>(count - done) / rate;
  print_line(fmt::format("{:.0f} % of {} {}, {} a second, {:.0f} s left",
                         100.0 * static_cast<double>(done) / static_cast<double>(count), count, things_, rounded(rate),
                         left));
  std::fflush(stderr);
}

void Progress::finish(u64 done) {
  if (shown_at_ == 0) return;
  const double now = seconds();
  print_line(
      fmt::format("{} {} in {:.1f} s, {} a second\n", done, things_, now, rounded(static_cast<double>(done) / now)));
}

}  // namespace salu::app
