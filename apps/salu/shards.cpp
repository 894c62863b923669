#include "shards.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

namespace salu::app {
namespace {

std::optional<u32> parse_count(std::string_view text) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string shard_of_harness(Shard& shard) {
  const std::string total = variable("TEST_TOTAL_SHARDS");
  const std::string index = variable("TEST_SHARD_INDEX");
  const auto count = parse_count(total);
  const auto number = parse_count(index);
  if (!count || !number || *number >= *count)
    return fmt::format("TEST_TOTAL_SHARDS={} TEST_SHARD_INDEX={}: expected an index of at least 0 and below the total",
                       total, index);
  shard = {*number, *count};
  // Reports to the harness that sharding is supported.
  const std::string status = variable("TEST_SHARD_STATUS_FILE");
  if (!status.empty()) std::ofstream(status).flush();
  return {};
}

std::string shard_of_job_array(Shard& shard) {
  const std::string id = variable("SLURM_ARRAY_TASK_ID");
  const auto number = parse_count(id);
  const auto count = parse_count(variable("SLURM_ARRAY_TASK_COUNT"));
  const auto least = parse_count(variable("SLURM_ARRAY_TASK_MIN"));
  const std::string step_text = variable("SLURM_ARRAY_TASK_STEP");
  const auto step = step_text.empty() ? std::optional(1U) : parse_count(step_text);
  const bool known = number && count && least && step && *step != 0 && *number >= *least;
  // With an array of single numbers (--array=1,5,7) a task cannot determine its position.
  if (!known || (*number - *least) % *step != 0 || (*number - *least) / *step >= *count)
    return "SLURM_ARRAY_TASK_ID=" + id +
           ": expected a job array of a plain range, e.g. --array=1-4; or use --shard I/N";
  // A single task that is run again: the size of the array is unknown.
  if (*count == 1 && *number > 1)
    return "SLURM_ARRAY_TASK_ID=" + id +
           ": the only task of its job array; use --shard I/N, e.g. --shard 3/4, or 1/1 for everything";
  shard = {(*number - *least) / *step, *count};
  return {};
}

}  // namespace

std::string choose_shard(const std::string& text, Shard& shard) {
  if (text.empty()) {
    if (!variable("TEST_TOTAL_SHARDS").empty()) return shard_of_harness(shard);
    if (!variable("SLURM_ARRAY_TASK_ID").empty()) return shard_of_job_array(shard);
    return {};
  }
  const std::size_t slash = text.find('/');
  const auto number = parse_count(std::string_view(text).substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : parse_count(std::string_view(text).substr(slash + 1));
  if (!number || !count || *number == 0 || *number > *count)
    return "--shard " + text + ": expected 1/N to N/N, e.g. --shard 2/4";
  shard = {*number - 1, *count};
  return {};
}

}  // namespace salu::app
