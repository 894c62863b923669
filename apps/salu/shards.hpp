#pragma once

#include <salu/suite.hpp>

#include <string>

namespace salu::app {

/// Which part of a suite to run: `text` (`2/4`, of --shard), or where it is empty what the environment says:
/// TEST_TOTAL_SHARDS and TEST_SHARD_INDEX (GoogleTest, Bazel), or Slurm's variables of a job array. Returns what is
/// wrong, or nothing.
std::string choose_shard(const std::string& text, Shard& shard);

}  // namespace salu::app
