#include "page/json_parts.hpp"

#include <fmt/core.h>

#include <utility>

#include "support/numbers.hpp"

namespace salu::page {

std::string mask_text(u64 mask) {
  constexpr u32 mask_digits = 16;
  return support::hex(mask, mask_digits).substr(2);
}

Json run_json(const Scenario& scenario) {
  return {{"schema", "salu-page-v1"},
          {"name", scenario.name},
          {"file", scenario.file},
          {"target", scenario.program.target->name}};
}

void add_verdict(Json& json, const Scenario& scenario, const Outcome& outcome,
                 const std::vector<Mismatch>* mismatches) {
  Json list;
  if (mismatches != nullptr) list = Json::array();
  for (const Mismatch& mismatch : mismatches == nullptr ? std::vector<Mismatch>() : *mismatches) {
    list.push_back({{"what", mismatch.what},
                    {"expected", mismatch.expected},
                    {"actual", mismatch.actual},
                    {"place", fmt::format("{}:{}", mismatch.where.file, mismatch.where.line)}});
  }
  json["expectations"] = std::move(list);
  const Verdict verdict = judge(scenario, outcome, mismatches);
  json["verdict"] = {{"kind", verdict.kind}, {"text", verdict.text}};
}

Json stop_json(const Program& program, const Stop& stop) {
  const bool is_inside = stop.reason != StopReason::returned;
  return {{"reason", stop.reason_name()},
          {"kind", is_regular_end(stop.reason) ? "end"
                   : is_fault(stop.reason)     ? "fault"
                                               : "stop"},
          {"pc", support::hex(stop.pc)},
          {"place", is_inside ? program.describe_place(stop.pc) : support::hex(stop.pc)},
          {"instruction", is_inside ? stop.instruction : std::string()},
          {"detail", stop.detail}};
}

void add_lanes(Json& json, std::span<const Column> columns) {
  Json exec = Json::array();
  Json csp = Json::array();
  Json others = Json::array();
  const Column* before = nullptr;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    if (before == nullptr || before->exec_any != column.exec_any || before->exec_all != column.exec_all) {
      exec.push_back({i, mask_text(column.exec_any)});
      if (column.exec_any != column.exec_all) exec.back().push_back(mask_text(column.exec_all));
    }
    if (before == nullptr || before->csp_least != column.csp_least || before->csp_most != column.csp_most) {
      csp.push_back({i, column.csp_least});
      if (column.csp_least != column.csp_most) csp.back().push_back(column.csp_most);
    }
    if (before == nullptr || before->others != column.others) others.push_back({i, column.others});
    before = &column;
  }
  json["exec"] = std::move(exec);
  json["csp"] = std::move(csp);
  if (!columns.empty() && columns.back().others != 0) json["others"] = std::move(others);
}

void add_step_texts(Json& json, std::span<const StepText> texts) {
  if (texts.empty()) return;
  Json reads = Json::array();
  Json writes = Json::array();
  Json notes = Json::object();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    reads.push_back(texts[i].reads);
    writes.push_back(texts[i].writes);
    if (!texts[i].note.empty()) notes[std::to_string(i)] = texts[i].note;
  }
  json["reads"] = std::move(reads);
  json["writes"] = std::move(writes);
  json["notes"] = std::move(notes);
}

}  // namespace salu::page
