#pragma once

#include <salu/run.hpp>

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "page/findings.hpp"
#include "page/recording.hpp"

/// Pieces of the page's data that several parts of it share.
namespace salu::page {

using Json = nlohmann::ordered_json;

/// 16 digits without `0x`.
std::string mask_text(u64 mask);

/// `exec` and `csp`, where they change.
void add_lanes(Json& json, std::span<const Column> columns);

/// `reads`, `writes` and `notes` of columns of one step; nothing where there are none.
void add_step_texts(Json& json, std::span<const StepText> texts);

/// `final`. What is left out of it is said in `summarised`.
Json final_json(const Recording& recording, const Outcome& outcome, std::vector<std::string>& summarised);

/// What the data lists, for those who refer to it by its places.
struct ListedParts {
  std::span<const i64> lines;      ///< by number in the counts; -1: not listed
  std::span<const u32> registers;  ///< `state_index`
  std::span<const Finding> findings;
};

/// `windows` of a run whose columns stand for several steps.
Json windows_json(const Recording& recording, const ExecutionCounts& counts, const ListedParts& listed);

/// `sources`: the lines of source files that the listing refers to, as far as `PageOptions::read_source` finds them.
Json sources_json(const Recording& recording, std::span<const ListingLine> lines);

}  // namespace salu::page
