#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "debug/console.hpp"
#include "debug/programs.hpp"
#include "unit/loader_helpers.hpp"

namespace salu::debug {

/// A console on a program, without colours.
class ConsoleTest : public testing::Test {
 protected:
  ConsoleTest() { start(test::gcd); }

  void start(std::string_view text, bool colour = false) { start_with({}, text, colour); }
  /// A console with a host.
  void start_with(ConsoleHost host, std::string_view text = test::gcd, bool colour = false) {
    console_.reset();
    session_.reset();
    scenario_ = std::make_unique<Scenario>(test::load_good(text));
    session_ = std::make_unique<Session>(*scenario_);
    console_host_ = host;
    console_ = std::make_unique<Console>(
        *session_, [this](std::string_view line) { output_ += line; }, colour, std::move(host));
  }

  /// The output of a command.
  std::string run(std::string_view line) {
    output_.clear();
    good_ = console_->execute(line);
    return output_;
  }

  /// The output of a command that must fail.
  std::string problem(std::string_view line) {
    const std::string text = run(line);
    EXPECT_FALSE(good_) << line.substr(0, 200);
    EXPECT_TRUE(text.find("error: ") != std::string::npos) << line.substr(0, 200);
    return text;
  }

  std::unique_ptr<Scenario> scenario_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Console> console_;
  ConsoleHost console_host_;
  std::string output_;
  bool good_ = true;
};

}  // namespace salu::debug
