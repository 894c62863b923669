#include "core/run_control.hpp"

#include <algorithm>
#include <utility>

namespace salu::core {

void WarningLog::add(Warning warning) {
  kept_.reset();
  list_.push_back(std::move(warning));
}

std::size_t WarningLog::first_that_stops() const {
  return static_cast<std::size_t>(std::ranges::find_if_not(list_, &Warning::is_info) - list_.begin());
}

void WarningLog::attach(UndefinedRead undefined) {
  list_.back().undefined = std::move(undefined);
  kept_ = nullptr;
}

void WarningLog::attach(Race race) {
  list_.back().race = std::move(race);
  kept_ = nullptr;
}

void WarningLog::explain(std::size_t index, std::optional<u64> culprit_pc, u64 victim_pc, std::string detail) {
  kept_.reset();
  Warning& warning = list_[index];
  warning.culprit_pc = culprit_pc;
  warning.victim_pc = victim_pc;
  warning.detail = std::move(detail);
}

void WarningLog::clear_all() {
  list_.clear();
  seen_.clear();
  pairs_.clear();
  kept_.reset();
}

std::shared_ptr<const std::vector<Warning>> WarningLog::kept() {
  if (kept_ == nullptr) kept_ = std::make_shared<const std::vector<Warning>>(list_);
  return kept_;
}

void WarningLog::restore(const std::shared_ptr<const std::vector<Warning>>& kept) {
  clear();
  list_ = *kept;
  for (const Warning& warning : list_) {
    if (warning.hazard || warning.race) {
      pairs_.insert(identity_of(warning));
    } else {
      seen_.insert(key(warning.kind, warning.pc));
    }
  }
  kept_ = kept;
}

void RunControl::reset() {
  stopped = false;  // so `stop` is not valid
  warning_stop = false;
  has_event = false;
  traps = false;
  waits = false;
  left_at = left_for = nullptr;
  stopped_op = nullptr;
  stopped_before_effect = false;
  warnings.clear();
}

}  // namespace salu::core
