#include "dap/progress.hpp"

#include <fmt/core.h>

#include <utility>

namespace salu::dap {
namespace {

/// There is one command at a time.
constexpr const char* progress_id = "command";

}  // namespace

Progress::Progress(Messages& messages, debug::Session& session, std::string title, std::chrono::milliseconds patience)
    : messages_(messages),
      session_(session),
      title_(std::move(title)),
      next_(std::chrono::steady_clock::now() + patience) {
  session_.set_progress([this] { look(); });
}

Progress::~Progress() {
  session_.set_progress({});
  if (has_begun_) messages_.tell_now("progressEnd", {{"progressId", progress_id}});
}

void Progress::look() {
  constexpr std::chrono::milliseconds between{250};
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + between;
  const std::string message = fmt::format("at position {}", session_.run().position());
  if (std::exchange(has_begun_, true)) {
    messages_.tell_now("progressUpdate", {{"progressId", progress_id}, {"message", message}});
  } else {
    messages_.tell_now("progressStart",
                       {{"progressId", progress_id}, {"title", title_}, {"cancellable", true}, {"message", message}});
  }
}

}  // namespace salu::dap
