#pragma once

#include <salu/outcome.hpp>

#include "support/numbers.hpp"

namespace salu::output {

/// Adds the fields of a hazard warning. `digits`: the least number of digits of an address.
template <class Json>
void add_hazard_fields(const Hazard& hazard, u32 digits, Json& json) {
  json["hazard"] = hazard.id;
  json["severity"] = hazard.is_info ? "info" : "warning";
  json["producer_pc"] = support::hex(hazard.producer_pc, digits);
  if (hazard.needed) json["needed"] = *hazard.needed;
  if (hazard.found) json["found"] = *hazard.found;
  if (!hazard.insert.empty()) json["insert"] = hazard.insert;
}

}  // namespace salu::output
