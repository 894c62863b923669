#pragma once

#include <salu/integer.hpp>
#include <salu/run.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "page/findings.hpp"
#include "page/json_parts.hpp"
#include "page/listing.hpp"
#include "page/recording.hpp"
#include "page/windows.hpp"

namespace salu::page {

/// The data of a page about one wave.
class WaveData {
 public:
  /// `outcome`: that of the wave. Both must outlive the object.
  WaveData(const Recording& recording, const Outcome& outcome);

  /// Adds `steps` to `stop`.
  void add_end(Json& json) const;
  /// Adds `program` to `warnings`.
  void add_run(Json& json);
  /// Adds `opens_at` and `findings`. `line_of`: the line of a link in the listing of its wave.
  void add_findings(Json& json, std::vector<Finding> findings, const std::function<i64(const FindingLink&)>& line_of);
  /// The steps of a long run to show one by one; empty if the timelines show all of them. Called after the functions
  /// above.
  [[nodiscard]] std::vector<StepRange> choose_windows() const;
  /// Adds `windows`, if there are any.
  void add_windows(Json& json, std::span<const Window> windows);
  /// Adds `sources`.
  void add_sources(Json& json) const;

  /// The line of the listing at an address; -1: not listed.
  [[nodiscard]] i64 line_at(u64 pc) const;
  [[nodiscard]] const ExecutionCounts& counts() const { return counts_; }
  /// Sentences about what the data does not have.
  [[nodiscard]] const std::vector<std::string>& summarised() const { return summarised_; }

 private:
  void summarise(std::string sentence) { summarised_.push_back(std::move(sentence)); }
  Json program_json();
  Json timeline_json();
  /// By column: the line of its instruction, or several lines with their counts.
  void add_instructions(Json& json, std::span<const Column> columns);
  /// True if the final value is unknown because a vector instruction was skipped.
  [[nodiscard]] bool is_lost_at_end(u32 index) const;
  Json registers_json();
  [[nodiscard]] Json fork_json(const Fork& fork) const;
  [[nodiscard]] Json forks_list(const ForkTree& tree) const;
  Json forks_json();
  Json warnings_json();

  const Recording& recording_;
  const Scenario& scenario_;
  Generation generation_;
  const Outcome& outcome_;
  ExecutionCounts counts_;
  std::vector<ListingLine> lines_;
  std::vector<i64> line_of_;  ///< by number in `counts_`; -1: not listed
  std::vector<Finding> findings_;
  std::vector<u32> listed_;  ///< `state_index` of the registers in the order of their list
  std::vector<std::string> summarised_;
};

}  // namespace salu::page
