#include <salu/sweep.hpp>

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu {
namespace {

using Ordered = nlohmann::ordered_json;

std::string names_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing" : text;
}

std::string value_of(const SweepStatistics& output, u64 value) { return support::hex(value, (output.bits + 3) / 4); }

std::string counts_text(const SweepReport& report) {
  std::string text = report.cancelled ? fmt::format("cancelled after {} of {} states", report.states, report.count)
                                      : support::counted(report.states, "state");
  std::string separator = ": ";
  for (const auto& [name, count] : report.stops) {
    text += fmt::format("{}{} {}", separator, name, count);
    separator = ", ";
  }
  text += "\n";
  if (report.warned != 0) text += fmt::format("  with warnings  {}\n", report.warned);
  if (report.skipped_vector != 0) text += fmt::format("  skipped vector instructions  {}\n", report.skipped_vector);
  return text;
}

std::string statistics_text(const SweepStatistics& output, const SweepView& view) {
  std::string text = "\n" + output.name + "\n";
  if (view.extremes) {
    text += fmt::format("  minimum   {} first at state {}\n", value_of(output, output.minimum), output.minimum_state);
    text += fmt::format("  maximum   {} first at state {}\n", value_of(output, output.maximum), output.maximum_state);
  }
  constexpr u32 checksum_digits = 16;
  if (view.checksums) text += fmt::format("  checksum  {}\n", support::hex(output.checksum, checksum_digits));
  if (!view.histograms) return text;
  if (output.has_too_many_values)
    text += fmt::format("  more than {} different values: not counted\n", most_histogram_values);
  for (const auto& [value, count] : output.histogram) text += fmt::format("  {}  {}\n", value_of(output, value), count);
  return text;
}

}  // namespace

std::string sweep_text(const SweepReport& report, const SweepView& view) {
  std::string text = counts_text(report);
  text += fmt::format("\n  varied    {}\n", names_text(report.inputs));
  text += fmt::format("  outputs   {}{}\n", names_text(report.outputs),
                      report.outputs_are_named
                          ? ""
                          : " (the scalar registers that the code may write; use --outputs to choose others)");
  for (const SweepStatistics& output : report.statistics) text += statistics_text(output, view);
  return text;
}

std::string sweep_json(const SweepReport& report, const SweepView& view) {
  Ordered json = {
      {"schema", "salu-sweep-v1"}, {"states", report.states}, {"count", report.count}, {"cancelled", report.cancelled}};
  json["stops"] = Ordered::object();
  for (const auto& [name, count] : report.stops) json["stops"][name] = count;
  json["warned"] = report.warned;
  json["skipped_vector"] = report.skipped_vector;
  json["inputs"] = report.inputs;
  json["outputs"] = Ordered::array();
  for (const SweepStatistics& output : report.statistics) {
    Ordered one = {{"name", output.name}};
    if (view.extremes) {
      one["minimum"] = {{"value", output.minimum}, {"state", output.minimum_state}};
      one["maximum"] = {{"value", output.maximum}, {"state", output.maximum_state}};
    }
    if (view.checksums) one["checksum"] = output.checksum;
    if (view.histograms) {
      one["histogram"] = nullptr;
      if (!output.has_too_many_values) one["histogram"] = Ordered::array();
      for (const auto& [value, count] : output.histogram) one["histogram"].push_back({value, count});
    }
    json["outputs"].push_back(std::move(one));
  }
  return support::printable_json(json.dump()) + "\n";
}

}  // namespace salu
