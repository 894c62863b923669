#include "page/json_parts.hpp"

#include <utility>

#include "support/numbers.hpp"

namespace salu::page {

std::string mask_text(u64 mask) {
  constexpr u32 mask_digits = 16;
  return support::hex(mask, mask_digits).substr(2);
}

void add_lanes(Json& json, std::span<const Column> columns) {
  Json exec = Json::array();
  Json csp = Json::array();
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
    before = &column;
  }
  json["exec"] = std::move(exec);
  json["csp"] = std::move(csp);
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
