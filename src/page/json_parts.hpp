#pragma once

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "page/findings.hpp"
#include "page/recording.hpp"
#include "page/windows.hpp"

/// Parts of the page's data.
namespace salu::page {

using Json = nlohmann::ordered_json;

/// 16 digits without `0x`.
std::string mask_text(u64 mask);

/// `schema` to `target`.
Json run_json(const Scenario& scenario);

/// Adds `expectations` and `verdict`.
void add_verdict(Json& json, const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches);

/// `stop` of a run or a wave.
Json stop_json(const Program& program, const Stop& stop);

/// `exec` and `csp`, at changes, and `others` if other waves have run.
void add_lanes(Json& json, std::span<const Column> columns);

/// `reads`, `writes` and `notes` of columns of one step; omitted if empty.
void add_step_texts(Json& json, std::span<const StepText> texts);

/// `final`; without memory for a wave of several. Omissions are described in `summarised`.
Json final_json(const Recording& recording, const Outcome& outcome, std::vector<std::string>& summarised);

/// The changed dwords of memory. `last_write` returns the last write to a place.
Json memory_json(const Scenario& scenario, const Memory& memory,
                 const std::function<LastWrite(const Location&)>& last_write, std::vector<std::string>& summarised);

/// The lists of the data to which other parts refer by index.
struct ListedParts {
  std::span<const i64> lines;      ///< by number in the counts; -1: not listed
  std::span<const u32> registers;  ///< `state_index`
  std::span<const Finding> findings;
};

/// Selects the steps of a long run to show one by one.
std::vector<StepRange> choose_windows(const Recording& recording, const ListedParts& listed);
/// `windows` of a run with several steps per column.
Json windows_json(const Recording& recording, std::span<const Window> windows, const ListedParts& listed);

/// `sources`: the source lines of the listing, as far as `PageOptions::read_source` finds them.
Json sources_json(const Recording& recording, std::span<const ListingLine> lines);

}  // namespace salu::page
