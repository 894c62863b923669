#include <fmt/core.h>

#include <algorithm>
#include <ranges>

#include "output/state_list.hpp"
#include "page/json_parts.hpp"
#include "support/numbers.hpp"

namespace salu::page {
namespace {

constexpr std::size_t most_memory_words = 1024;
constexpr u32 dword_digits = 8;

class FinalData {
 public:
  FinalData(const Recording& recording, const Outcome& outcome, std::vector<std::string>& summarised)
      : recording_(recording), scenario_(recording.scenario()), outcome_(outcome), summarised_(summarised) {}

  Json write() {
    Json json = {{"registers", final_registers_json()}};
    // The memory of several waves is that of the run.
    if (recording_.wave()) return json;
    const auto last_write = [this](const Location& place) { return recording_.last_writes().of(place); };
    json["memory"] = memory_json(scenario_, outcome_.memory, last_write, summarised_);
    return json;
  }

 private:
  /// Adds the step of the last write, if any.
  void add_step(Json& entry, const Location& place) const {
    if (const u64 step = recording_.last_writes().of(place).step; step != 0) entry["step"] = step;
  }

  void add_final(Json& list, const std::vector<output::ListedRegister>& registers,
                 const std::vector<output::ListedRegister>& at_start) const {
    for (const output::ListedRegister& listed : registers) {
      // The live bits of STATUS repeat SCC, EXEC and VCC.
      if (listed.name == "status" && outcome_.state.status == 0 && scenario_.initial.status == 0) continue;
      if (!listed.is_touched() && listed.name != "exec" && listed.name != "scc") continue;
      Json entry = {{"name", listed.name}, {"value", output::value_text(listed)}};
      if (listed.changed && listed.name != "pc") {
        entry["changed"] = true;
        const auto before = std::ranges::find(at_start, listed.name, &output::ListedRegister::name);
        const bool was_defined =
            before != at_start.end() && (before->definition != output::Definition::none || before->value != 0);
        if (was_defined) entry["before"] = output::value_text(*before);
      }
      if (listed.definition == output::Definition::none) entry["undefined"] = true;
      add_step(entry, listed.where.location());
      if (listed.where.dwords() == 1 && recording_.is_pair(listed.where.index)) entry["pair"] = true;
      list.push_back(std::move(entry));
    }
  }

  /// The first lanes of each register in its row, followed by all lanes.
  void add_final_vectors(Json& list) const {
    constexpr u32 lanes_shown = 4;
    for (const output::ListedVector& vector : output::list_vectors(scenario_, outcome_.state)) {
      Json lanes = Json::array();
      for (u32 lane = 0; lane < outcome_.state.wave_size; ++lane) {
        const bool is_defined = (vector.defined >> lane & 1) != 0;
        lanes.push_back(is_defined ? support::hex(vector.lanes[lane], dword_digits) : "–");
      }
      std::string value = lanes[0];
      for (u32 lane = 1; !vector.is_uniform() && lane < lanes_shown; ++lane) value += " " + std::string(lanes[lane]);
      value += vector.is_uniform() ? " in all lanes" : " …";
      Json entry = {{"name", vector.name}, {"value", std::move(value)}, {"lanes", std::move(lanes)}};
      if (vector.changed) entry["changed"] = true;
      add_step(entry, vector.where.location());
      list.push_back(std::move(entry));
    }
  }

  [[nodiscard]] Json final_registers_json() const {
    Json list = Json::array();
    const auto add = [&](auto list_registers) {
      add_final(list, list_registers(scenario_, outcome_.state), list_registers(scenario_, scenario_.initial));
    };
    add(output::list_sgprs);
    add(output::list_specials);
    add(output::list_ttmps);
    add(output::list_hwregs);
    add_final_vectors(list);
    return list;
  }

  const Recording& recording_;
  const Scenario& scenario_;
  const Outcome& outcome_;
  std::vector<std::string>& summarised_;
};

}  // namespace

Json memory_json(const Scenario& scenario, const Memory& memory,
                 const std::function<LastWrite(const Location&)>& last_write, std::vector<std::string>& summarised) {
  Json list = Json::array();
  u64 left_out = 0;
  for (const output::MemoryRun& run : output::changed_memory(scenario.memory, memory)) {
    for (std::size_t i = 0; i < run.words.size(); ++i) {
      if (list.size() == most_memory_words) {
        ++left_out;
        continue;
      }
      const u64 address = run.address + i * 4;
      list.push_back({{"at", support::hex(address)},
                      {"before", support::hex(scenario.memory.read_dword(address), dword_digits)},
                      {"value", support::hex(run.words[i], dword_digits)}});
      const LastWrite last = last_write(Location::in_memory(address));
      if (last.step != 0) list.back()["step"] = last.step;
      if (last.wave) list.back()["wave"] = *last.wave;
    }
  }
  if (left_out != 0)
    summarised.push_back("Memory that changed: " + support::counted(left_out, "dword") + " more are not shown.");
  return list;
}

Json final_json(const Recording& recording, const Outcome& outcome, std::vector<std::string>& summarised) {
  return FinalData(recording, outcome, summarised).write();
}

}  // namespace salu::page
