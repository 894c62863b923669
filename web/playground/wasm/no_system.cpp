#include "support/process.hpp"
#include "support/replace_file.hpp"
#include "support/threads.hpp"

/// Replacements of the functions in src/support that need an operating system.
namespace salu::support {

std::optional<std::string> find_program(const std::vector<std::string>& /*names*/) { return std::nullopt; }

ProcessResult run_process(const std::vector<std::string>& /*arguments*/, std::string_view /*input*/,
                          const ProcessLimits& /*limits*/) {
  return {};
}

std::string replace_file(const std::string& /*path*/, std::string_view /*bytes*/,
                         std::optional<std::string_view> /*before*/) {
  return why_not_writable({});
}

std::string why_not_writable(const std::string& /*path*/) { return "files cannot be written in the browser"; }

void remove_unfinished_file() {}

std::jthread start_thread(std::function<void()> work) { return std::jthread(std::move(work)); }

}  // namespace salu::support
