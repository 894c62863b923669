#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "debug/session.hpp"
#include "unit/loader_helpers.hpp"

namespace salu::debug {

/// A session over a program.
class Sessions : public testing::TestWithParam<u64> {
 protected:
  /// A session with a given distance of checkpoints, which must not affect results.
  Session& start(std::string_view text) {
    scenario_ = std::make_unique<Scenario>(test::load_good(text));
    session_ = std::make_unique<Session>(*scenario_, HistoryOptions{.checkpoint_interval = GetParam()});
    return *session_;
  }
  [[nodiscard]] u64 position() const { return session_->run().position(); }
  [[nodiscard]] u64 value(std::string_view expression) const { return session_->evaluate(expression)->bits; }

  std::unique_ptr<Scenario> scenario_;
  std::unique_ptr<Session> session_;
};

/// Distances of checkpoints from one instruction to more than the programs have.
inline const auto checkpoint_intervals = testing::Values(1, 2, 7, 65536);

}  // namespace salu::debug
