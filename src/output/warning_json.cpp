#include "output/warning_json.hpp"

#include <nlohmann/json.hpp>

#include "output/formats.hpp"
#include "output/hazard_fields.hpp"
#include "support/numbers.hpp"

namespace salu::output {
namespace {

/// The undefined operand and its origin.
void add_undefined(const UndefinedRead& undefined, nlohmann::ordered_json& warning) {
  warning["operand"] = undefined.operand;
  warning["bits"] = support::hex(undefined.bits, undefined.bits >> 32 != 0 ? address_digits : 8);
  warning["origin"] = {{"what", undefined.origin}};
  if (undefined.origin_pc) warning["origin"]["pc"] = support::hex(*undefined.origin_pc, address_digits);
  for (const u64 pc : undefined.way) warning["way"].push_back(support::hex(pc, address_digits));
  for (const UndefinedOutput& output : undefined.memory) {
    nlohmann::ordered_json range = {{"at", support::hex(output.address, address_digits)}, {"size", output.size_bytes}};
    if (!output.name.empty()) range["name"] = output.name;
    warning["memory"].push_back(std::move(range));
  }
}

/// The other instruction of a data race or of a barrier divergence, the waves and the memory.
void add_race(const Race& race, nlohmann::ordered_json& warning) {
  warning["other_pc"] = support::hex(race.other_pc, address_digits);
  warning["wave"] = race.wave;
  warning["other_wave"] = race.other_wave;
  if (!race.place) return;
  const Race::Place& place = *race.place;
  if (place.lane) warning["lane"] = *place.lane;
  if (place.other_lane) warning["other_lane"] = *place.other_lane;
  warning["space"] = memory_space_name(place.space);
  warning["address"] = support::hex(place.address, address_digits);
  warning["size_bytes"] = place.size_bytes;
  if (!place.name.empty()) warning["name"] = place.name;
}

}  // namespace

nlohmann::ordered_json warning_json(const Warning& warning) {
  nlohmann::ordered_json json = {{"kind", warning_kind_name(warning.kind)},
                                 {"pc", support::hex(warning.pc, address_digits)},
                                 {"instruction", warning.instruction},
                                 {"detail", warning.detail}};
  if (warning.culprit_pc) json["culprit_pc"] = support::hex(*warning.culprit_pc, address_digits);
  if (warning.victim_pc) json["victim_pc"] = support::hex(*warning.victim_pc, address_digits);
  if (warning.producer_pc) json["producer_pc"] = support::hex(*warning.producer_pc, address_digits);
  if (warning.hazard) add_hazard_fields(*warning.hazard, address_digits, json);
  if (warning.undefined) add_undefined(*warning.undefined, json);
  if (warning.race) add_race(*warning.race, json);
  return json;
}

}  // namespace salu::output
