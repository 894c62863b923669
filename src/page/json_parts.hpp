#pragma once

#include <salu/run.hpp>

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "page/findings.hpp"
#include "page/recording.hpp"

/// Parts of the page's data.
namespace salu::page {

using Json = nlohmann::ordered_json;

/// 16 digits without `0x`.
std::string mask_text(u64 mask);

/// `exec` and `csp`, at changes.
void add_lanes(Json& json, std::span<const Column> columns);

/// `reads`, `writes` and `notes` of columns of one step; omitted if empty.
void add_step_texts(Json& json, std::span<const StepText> texts);

/// `final`. Omissions are described in `summarised`.
Json final_json(const Recording& recording, const Outcome& outcome, std::vector<std::string>& summarised);

/// The lists of the data to which other parts refer by index.
struct ListedParts {
  std::span<const i64> lines;      ///< by number in the counts; -1: not listed
  std::span<const u32> registers;  ///< `state_index`
  std::span<const Finding> findings;
};

/// `windows` of a run with several steps per column.
Json windows_json(const Recording& recording, const ExecutionCounts& counts, const ListedParts& listed);

/// `sources`: the source lines of the listing, as far as `PageOptions::read_source` finds them.
Json sources_json(const Recording& recording, std::span<const ListingLine> lines);

}  // namespace salu::page
