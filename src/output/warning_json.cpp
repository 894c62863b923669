#include "output/warning_json.hpp"

#include <nlohmann/json.hpp>

#include "output/formats.hpp"
#include "output/hazard_fields.hpp"
#include "support/numbers.hpp"

namespace salu::output {

nlohmann::ordered_json warning_json(const Warning& warning) {
  nlohmann::ordered_json json = {{"kind", warning_kind_name(warning.kind)},
                                 {"pc", support::hex(warning.pc, address_digits)},
                                 {"instruction", warning.instruction},
                                 {"detail", warning.detail}};
  if (warning.culprit_pc) json["culprit_pc"] = support::hex(*warning.culprit_pc, address_digits);
  if (warning.victim_pc) json["victim_pc"] = support::hex(*warning.victim_pc, address_digits);
  if (warning.hazard) add_hazard_fields(*warning.hazard, address_digits, json);
  return json;
}

}  // namespace salu::output
