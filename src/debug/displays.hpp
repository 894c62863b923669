#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <vector>

#include "debug/value_format.hpp"
#include "expr/expression.hpp"

namespace salu::debug {

struct ConsoleContext;

/// An expression that is printed at every stop.
struct Display {
  u32 id = 0;
  expr::Expression expression;
  ValueFormat format;
};

/// A limit, because all are evaluated at every stop.
inline constexpr std::size_t most_displays = 1'000;

/// The expressions of `display`.
class Displays {
 public:
  const Display& add(expr::Expression expression, const ValueFormat& format);
  /// Returns false if the number does not exist.
  bool remove(u64 id);
  void clear() { all_.clear(); }
  [[nodiscard]] const std::vector<Display>& all() const { return all_; }

 private:
  std::vector<Display> all_;
  u32 next_id_ = 1;
};

/// Prints one with its current value.
void show_display(const ConsoleContext& console, const Display& display);
/// Prints all of them.
void show_displays(const ConsoleContext& console);

}  // namespace salu::debug
