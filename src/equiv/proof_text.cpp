#include <salu/proof.hpp>

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "equiv/comparison_text.hpp"
#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu {
namespace {

using Json = nlohmann::ordered_json;

std::string headline(const ProofReport& report) {
  switch (report.verdict) {
    case ProofVerdict::proved:
      return fmt::format("proved: the same for all inputs ({})",
                         report.how == "same code" ? "the same code" : "by " + report.how);
    case ProofVerdict::proved_by_trying:
      return fmt::format("proved: the same for all inputs, which were {}, by trying them",
                         support::counted(report.compared.states, "state"));
    case ProofVerdict::proved_in_rounds:
      return fmt::format("proved up to {} of each loop: the same for all inputs that need no more (by {})",
                         support::counted(report.rounds, "round"), report.how);
    case ProofVerdict::different:
      return fmt::format("different (found by {})", report.how);
    case ProofVerdict::gave_up:
      break;
  }
  return "gave up: not known for all inputs";
}

/// Formats an obstacle: `A vg2: v_rcp_f32 v0, v0    floats`.
std::string obstacle_text(const ProofObstacle& obstacle) {
  std::string text = obstacle.place.empty() ? std::string() : support::printable(obstacle.place) + ": ";
  if (!obstacle.instruction.empty()) text += obstacle.instruction + "    ";
  return text + obstacle.why;
}

std::string cover_text(const CoverReport& report) {
  std::string text = fmt::format("\ncases         {} of {} in {}\n", report.covered,
                                 support::counted(report.turns, "turn"), support::counted(report.rows, "row"));
  for (const auto& [title, list] : {std::pair("of no input", &report.impossible), {"not known", &report.left}}) {
    for (std::size_t i = 0; i < list->size(); ++i)
      text += fmt::format("{:<13} {}\n", i == 0 ? title : "", support::printable((*list)[i]));
  }
  for (std::size_t i = 0; i < report.not_followed.size(); ++i)
    text += fmt::format("{:<13} {}\n", i == 0 ? "not followed" : "", obstacle_text(report.not_followed[i]));
  return text;
}

Json obstacles_json(const std::vector<ProofObstacle>& obstacles) {
  Json json = Json::array();
  for (const ProofObstacle& obstacle : obstacles)
    json.push_back({{"place", obstacle.place}, {"instruction", obstacle.instruction}, {"why", obstacle.why}});
  return json;
}

}  // namespace

std::string proof_text(const ProofReport& report) {
  std::string text = headline(report) + "\n\n";
  for (const ProofObstacle& obstacle : report.obstacles) text += "  " + obstacle_text(obstacle) + "\n";
  if (!report.obstacles.empty()) text += "\n";
  text += equiv::details_text(report.compared, false);
  for (std::size_t i = 0; i < report.assumptions.size(); ++i)
    text += fmt::format("  {:<13} {}\n", i == 0 ? "assumed" : "", report.assumptions[i]);
  if (report.covered) text += cover_text(*report.covered);
  return text;
}

std::string proof_json(const ProofReport& report) {
  Json json = {{"schema", "salu-prove-v1"},
               {"verdict", proof_verdict_name(report.verdict)},
               {"by", report.how},
               {"questions", report.questions},
               {"assumptions", report.assumptions},
               {"obstacles", obstacles_json(report.obstacles)}};
  if (report.verdict == ProofVerdict::proved_in_rounds) json["rounds"] = report.rounds;
  if (report.covered) {
    json["cases"] = {
        {"rows", report.covered->rows},       {"turns", report.covered->turns},
        {"covered", report.covered->covered}, {"of_no_input", report.covered->impossible},
        {"not_known", report.covered->left},  {"not_followed", obstacles_json(report.covered->not_followed)}};
  }
  json["compared"] = Json::parse(equivalence_json(report.compared));
  return support::printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace salu
