#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <vector>

#include "debug/value_format.hpp"
#include "expr/expression.hpp"

namespace salu::debug {

struct ConsoleContext;

/// An expression that every stop shows.
struct Display {
  u32 id = 0;
  expr::Expression expression;
  ValueFormat format;
};

/// Each of them is worked out at every stop.
inline constexpr std::size_t most_displays = 1'000;

/// What `display` was given.
class Displays {
 public:
  const Display& add(expr::Expression expression, const ValueFormat& format);
  /// False when there is none of that number.
  bool remove(u64 id);
  void clear() { all_.clear(); }
  [[nodiscard]] const std::vector<Display>& all() const { return all_; }

 private:
  std::vector<Display> all_;
  u32 next_id_ = 1;
};

/// Shows one with the value of here and now.
void show_display(const ConsoleContext& console, const Display& display);
/// Shows them all.
void show_displays(const ConsoleContext& console);

}  // namespace salu::debug
