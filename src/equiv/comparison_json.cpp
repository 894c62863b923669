#include <salu/equivalence.hpp>

#include <nlohmann/json.hpp>

#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu {
namespace {

using Json = nlohmann::ordered_json;
using support::hex;

constexpr u32 address_digits = 16;

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal:
      return "equal";
    case Verdict::different:
      return "different";
    case Verdict::incomplete:
      return "incomplete";
    case Verdict::nothing_compared:
      break;
  }
  return "nothing_compared";
}

Json inputs_json(const std::vector<InputValue>& inputs) {
  Json json = Json::object();
  for (const InputValue& input : inputs) json[input.name] = hex(input.value, (input.bits + 3) / 4);
  return json;
}

Json difference_json(const Difference& difference) {
  Json json = {{"state", difference.state},
               {"inputs", inputs_json(difference.shrunk)},
               {"found_inputs", inputs_json(difference.found)},
               {"shrink_runs", difference.shrink_runs},
               {"outputs", Json::array()},
               {"parting", Json::array()}};
  for (const DifferingOutput& output : difference.outputs) {
    Json& added = json["outputs"].emplace_back(Json{{"name", output.name}, {"a", output.a}, {"b", output.b}});
    if (!output.object.empty()) added["object"] = output.object;
  }
  for (const PartingNote& note : difference.parting) {
    Json lines = Json::array();
    for (const PartingLine& line : note.lines) {
      lines.push_back({{"program", line.in_b ? "b" : "a"},
                       {"pc", hex(line.pc, address_digits)},
                       {"place", line.place},
                       {"instruction", line.instruction},
                       {"effects", line.effects}});
      if (!line.wave.empty()) lines.back()["wave"] = line.wave;
    }
    json["parting"].push_back({{"what", note.what}, {"lines", std::move(lines)}});
  }
  if (!difference.row.empty()) json["row"] = difference.row;
  if (difference.shrinking_ended_early) json["shrinking_ended_early"] = true;
  if (!difference.hint.empty()) json["hint"] = difference.hint;
  if (!difference.reproducer_problem.empty()) json["reproducer_problem"] = difference.reproducer_problem;
  return json;
}

Json program_json(const ProgramReport& program) {
  Json json = {{"name", program.name},           {"target", program.target},        {"executed", program.executed},
               {"reachable", program.reachable}, {"never_executed", Json::array()}, {"stops", program.stops}};
  for (const AddressRange& range : program.never_executed) {
    json["never_executed"].push_back({hex(range.first, address_digits), hex(range.last, address_digits)});
  }
  if (program.waves != 1) json["waves"] = program.waves;
  return json;
}

}  // namespace

std::string equivalence_json(const EquivalenceReport& report) {
  Json json = {{"schema", "salu-equiv-v1"},   {"verdict", verdict_name(report.verdict)},
               {"seed", report.seed},         {"states", report.states},
               {"compared", report.compared}, {"skipped", report.skipped}};
  if (report.rows != 0) json["rows"] = report.rows;
  if (report.combinations != 0) {
    json["combinations"] = report.combinations;
    json["combinations_compared"] = report.combinations_compared;
    json["draws_others"] = report.draws_others;
  }
  json["out_of_time"] = report.out_of_time;
  json["a"] = program_json(report.programs[0]);
  json["b"] = program_json(report.programs[1]);
  json["varied"] = report.varied;
  json["not_varied"] = report.not_varied;
  json["outputs"] = report.outputs;
  json["not_compared"] = report.not_compared;
  if (report.difference) json["difference"] = difference_json(*report.difference);
  // External texts may not be UTF-8; invalid bytes are replaced.
  return support::printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace salu
