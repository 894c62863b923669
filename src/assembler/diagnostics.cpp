#include "assembler/diagnostics.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace salu::assembler {

void Diagnostics::error(const TextPosition& place, std::string message, ErrorCode code) {
  if (full()) return;
  const std::size_t offset = sources_.main_offset(place);
  message += sources_.expansions_of(place);
  errors_.push_back(
      {offset, errors_.size(), {code, sources_.locate(place), std::move(message), sources_.source_line(place)}});
  if (full()) {
    errors_.push_back({std::numeric_limits<std::size_t>::max(),
                       errors_.size(),
                       {ErrorCode::assembly, sources_.locate(place), "too many errors; stopping", {}}});
  }
}

void Diagnostics::remark(const TextPosition& place, std::string message) {
  if (remarks_.size() >= most_remarks) return;
  message += sources_.expansions_of(place);
  remarks_.push_back({sources_.main_offset(place),
                      remarks_.size(),
                      {sources_.locate(place), std::move(message), sources_.source_line(place)}});
}

void Diagnostics::finish(Assembly& assembly) {
  // Errors that need the final value of a label are found last.
  const auto in_order = [](const auto& a, const auto& b) {
    return std::pair{a.offset, a.number} < std::pair{b.offset, b.number};
  };
  std::ranges::sort(errors_, in_order);
  std::ranges::sort(remarks_, in_order);
  for (Entry<Error>& entry : errors_) assembly.errors.push_back(std::move(entry.content));
  for (Entry<Remark>& entry : remarks_) assembly.remarks.push_back(std::move(entry.content));
}

}  // namespace salu::assembler
