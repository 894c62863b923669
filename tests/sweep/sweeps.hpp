#pragma once

#include <gtest/gtest.h>
#include <salu/sweep.hpp>

#include <string>
#include <string_view>
#include <vector>

/// Sweeps of small programs.
namespace salu::sweep_test {

inline Scenario program(const std::string& text, const std::string& mcpu = "gfx900") {
  LoadOptions options;
  options.mcpu = mcpu;
  std::vector<Result<Scenario>> loaded = load_bytes(text, "code.s", options);
  EXPECT_TRUE(loaded.at(0).has_value()) << (loaded[0] ? "" : loaded[0].error().to_string());
  return loaded[0] ? std::move(*loaded[0]) : Scenario{};
}

inline Scenario scenario(const std::string& yaml) {
  std::vector<Result<Scenario>> loaded = load_yaml(yaml, "scenario.yaml");
  EXPECT_TRUE(loaded.at(0).has_value()) << (loaded[0] ? "" : loaded[0].error().to_string());
  return loaded[0] ? std::move(*loaded[0]) : Scenario{};
}

/// The rows that a sweep writes, or its error.
inline std::string rows_of(const Scenario& scenario, SweepOptions options, SweepFormat format = SweepFormat::csv) {
  std::string text;
  options.format = format;
  const Result<SweepReport> report = sweep(scenario, options, [&](std::string_view piece) { text += piece; });
  return report ? text : report.error().to_string();
}

inline SweepReport report_of(const Scenario& scenario, const SweepOptions& options) {
  Result<SweepReport> report = sweep(scenario, options);
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().to_string());
  return report ? std::move(*report) : SweepReport{};
}

/// An array as numpy.save() writes it (written from the description of the format).
inline std::string npy(const std::string& type, const std::string& shape, std::string_view data,
                       const std::string& fortran = "False", char version = 1) {
  std::string header = "{'descr': " + type + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  while ((8 + length_bytes + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 255);
  return bytes + header + std::string(data);
}

/// Numbers in little-endian order.
inline std::string little_endian(const std::vector<u64>& values, std::size_t size) {
  std::string bytes;
  for (const u64 value : values) {
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 255);
  }
  return bytes;
}

inline const std::string sum = "s_add_u32 s2, s0, s1\ns_endpgm\n";

}  // namespace salu::sweep_test
