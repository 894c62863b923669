#include "assembler/conditionals.hpp"

namespace salu::assembler {

std::optional<TextPosition> Conditionals::innermost() const {
  if (levels_.empty()) return std::nullopt;
  return levels_.back().place;
}

void Conditionals::open(const TextPosition& place, bool is_met) {
  const bool is_outer_ignored = is_ignoring();
  levels_.push_back({place, is_outer_ignored, is_met, is_outer_ignored || !is_met, false});
}

bool Conditionals::is_undecided() const {
  return !levels_.empty() && !levels_.back().is_outer_ignored && !levels_.back().was_met;
}

bool Conditionals::else_if(bool is_met) {
  if (levels_.empty() || levels_.back().has_else) return false;
  Level& level = levels_.back();
  level.is_ignoring = level.is_outer_ignored || level.was_met || !is_met;
  level.was_met = level.was_met || is_met;
  return true;
}

bool Conditionals::otherwise() {
  if (!else_if(true)) return false;
  return levels_.back().has_else = true;
}

bool Conditionals::close() {
  if (levels_.empty()) return false;
  levels_.pop_back();
  return true;
}

void Conditionals::close_beyond(std::size_t depth) {
  if (levels_.size() > depth) levels_.resize(depth);
}

}  // namespace salu::assembler
