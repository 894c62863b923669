#pragma once

#include <salu/suite.hpp>

#include <string>

namespace salu::app {

/// Selects the part of a suite to run: from `text` (`2/4`, of --shard), or if it is empty from the environment:
/// TEST_TOTAL_SHARDS and TEST_SHARD_INDEX (GoogleTest, Bazel), or the variables of a Slurm job array. Returns an error
/// message, or "".
std::string choose_shard(const std::string& text, Shard& shard);

}  // namespace salu::app
