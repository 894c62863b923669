#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "output/fidelity_report.hpp"
#include "output/formats.hpp"
#include "output/state_list.hpp"
#include "output/warning_json.hpp"
#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu::output {
namespace {

using Json = nlohmann::ordered_json;

Json stop_json(const Stop& stop) {
  return {{"reason", stop.reason_name()},
          {"pc", support::hex(stop.pc, address_digits)},
          {"instruction", stop.instruction},
          {"detail", stop.detail}};
}

void add_registers(const std::vector<ListedRegister>& list, Json& json) {
  for (const ListedRegister& listed : list) {
    if (listed.where.width < 32) {
      json[listed.name] = listed.value;
    } else {
      json[listed.name] = value_text(listed);
    }
  }
}

std::string dump(const Json& json) {
  // Invalid UTF-8 in external texts is replaced.
  return support::printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string quote(const std::string& text) { return dump(Json(text)); }

std::string json_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches) {
  const WaveState& state = outcome.state;
  Json json = {{"schema", "salu-state-v1"},
               {"name", scenario.name},
               {"target", scenario.program.target->name},
               {"stop", stop_json(outcome.stop)},
               {"steps", outcome.steps}};
  if (outcome.skipped_vector != 0) json["skipped_vector"] = outcome.skipped_vector;
  if (outcome.fidelity) json["fidelity"] = fidelity_json(scenario.program, *outcome.fidelity);
  json["warnings"] = Json::array();
  for (const Warning& warning : outcome.warnings) json["warnings"].push_back(warning_json(warning));
  if (mismatches != nullptr) {
    json["mismatches"] = Json::array();
    for (const Mismatch& mismatch : *mismatches) {
      json["mismatches"].push_back({{"what", mismatch.what},
                                    {"expected", mismatch.expected},
                                    {"actual", mismatch.actual},
                                    {"file", mismatch.where.file},
                                    {"line", mismatch.where.line},
                                    {"column", mismatch.where.column}});
    }
  }
  json["sgprs"] = state.sgprs;
  if (state.vgprs != VectorRegisters::vgprs) json["vgprs"] = state.vgprs;
  if (state.agprs != VectorRegisters::vgprs) json["agprs"] = state.agprs;
  json["registers"] = Json::object();
  add_registers(list_sgprs(scenario, state), json["registers"]);
  add_registers(list_specials(scenario, state), json["registers"]);
  add_registers(list_ttmps(scenario, state), json["registers"]);
  json["hwregs"] = Json::object();
  add_registers(list_hwregs(scenario, state), json["hwregs"]);
  const std::vector<ListedVector> vectors = list_vectors(scenario, state);
  if (!vectors.empty()) json["vector"] = Json::object();
  for (const ListedVector& vector : vectors) {
    Json& lanes = json["vector"][vector.name] = Json::array();
    for (const u32 lane : vector.lanes) lanes.push_back(support::hex(lane, 8));
  }
  json["undefined"] = list_undefined(scenario, state);
  json["memory"] = Json::array();
  for (const MemoryRun& run : changed_memory(scenario.memory, outcome.memory)) {
    Json words = Json::array();
    for (const u32 word : run.words) words.push_back(support::hex(word, 8));
    json["memory"].push_back({{"at", support::hex(run.address, address_digits)}, {"words", std::move(words)}});
  }
  return dump(json) + "\n";
}

std::string json_error(const Error& error) {
  std::string message = error.message;
  if (!error.more.empty()) {
    message += fmt::format(" (and {})", support::counted(error.more.size(), "more error"));
  }
  Json details = {{"code", error_code_name(error.code)},
                  {"file", error.where.file},
                  {"line", error.where.line},
                  {"column", error.where.column},
                  {"message", std::move(message)}};
  if (error.where.offset_bytes) details["offset"] = *error.where.offset_bytes;
  return dump({{"schema", "salu-state-v1"}, {"error", std::move(details)}}) + "\n";
}

}  // namespace salu::output
