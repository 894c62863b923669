#include "capi/failure.hpp"

#include <array>
#include <cstring>
#include <string_view>

#include "support/per_thread.hpp"

namespace salu::capi {
namespace {

static_assert(SALU_BAD_USAGE + static_cast<int>(ErrorCode::overwrite) == SALU_BAD_OVERWRITE);

constexpr std::array<const char*, 7> plain_names = {"ok",        "invalid_handle", "invalid_argument", "not_found",
                                                    "cancelled", "no_memory",      "internal"};
constexpr std::array<const char*, 9> input_names = {"bad_usage",    "bad_file",     "bad_yaml",
                                                    "bad_scenario", "bad_assembly", "bad_words",
                                                    "bad_elf",      "bad_target",   "bad_overwrite"};

void remember(LastFailure& last, const Error& error, std::string message) {
  last.message = std::move(message);
  last.reason = error.message;
  last.file = error.where.file;
  last.line = error.where.line;
  last.column = error.where.column;
}

const char* text_of(const std::string LastFailure::* part) {
  const LastFailure* const last = last_failure();
  return last == nullptr ? "" : (last->*part).c_str();
}

}  // namespace

Failure::Failure(Error of)
    : status(of.code == ErrorCode::memory ? SALU_NO_MEMORY
                                          : static_cast<salu_status>(SALU_BAD_USAGE + static_cast<int>(of.code))),
      error(std::move(of)) {}

const LastFailure* last_failure() noexcept { return support::PerThread<LastFailure>::find(); }

salu_status fail(const Failure& failure) noexcept {
  try {
    LastFailure& last = support::PerThread<LastFailure>::get();
    // Errors of the caller have no place in a file.
    remember(last, failure.error, failure.status < SALU_BAD_USAGE ? failure.error.message : failure.error.to_string());
  } catch (const std::bad_alloc&) {
    return SALU_NO_MEMORY;
  }
  return failure.status;
}

salu_status fail(salu_status status, const char* message) noexcept {
  try {
    return fail(Failure(status, message));
  } catch (const std::bad_alloc&) {
    return SALU_NO_MEMORY;
  }
}

extern "C" {

const char* salu_status_name(salu_status status) {
  // A caller in C may pass any number, which need not be a value of the enumeration in C++.
  u32 number = 0;
  static_assert(sizeof number == sizeof status);
  std::memcpy(&number, &status, sizeof number);
  if (number < plain_names.size()) return plain_names[number];
  const std::size_t of_input = number - SALU_BAD_USAGE;
  return number >= SALU_BAD_USAGE && of_input < input_names.size() ? input_names[of_input] : "unknown";
}

const char* salu_error_message(void) { return text_of(&LastFailure::message); }
const char* salu_error_reason(void) { return text_of(&LastFailure::reason); }
const char* salu_error_file(void) { return text_of(&LastFailure::file); }

uint32_t salu_error_line(void) {
  const auto* const last = last_failure();
  return last == nullptr ? 0 : last->line;
}

uint32_t salu_error_column(void) {
  const auto* const last = last_failure();
  return last == nullptr ? 0 : last->column;
}
}

}  // namespace salu::capi
