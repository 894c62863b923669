#pragma once

#include <chrono>
#include <string>

#include "dap/messages.hpp"
#include "debug/session.hpp"

namespace salu::dap {

/// Reports the progress of a long command to the client, which may cancel it. Ends with the lifetime of the object.
class Progress {
 public:
  /// The arguments must outlive this object. `patience`: the time before the first report.
  Progress(Messages& messages, debug::Session& session, std::string title, std::chrono::milliseconds patience);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void look();

  Messages& messages_;
  debug::Session& session_;
  std::string title_;
  std::chrono::steady_clock::time_point next_;
  bool has_begun_ = false;
};

}  // namespace salu::dap
