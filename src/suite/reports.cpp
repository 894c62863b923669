#include <salu/suite.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "loader/text_file.hpp"
#include "support/printable.hpp"

namespace salu {
namespace {

/// Text for XML. Characters that XML cannot contain (control characters, U+FFFE, U+FFFF, invalid UTF-8) become `?`.
std::string escape(std::string text) {
  for (std::size_t wrong = 0; (wrong = loader::find_non_text(text)) != std::string::npos;) text[wrong] = '?';
  for (const std::string_view no_character : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (std::size_t i = 0; (i = text.find(no_character, i)) != std::string::npos;)
      text.replace(i, no_character.size(), "?");
  }
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (c == '\n') {
      escaped += "&#10;";
    } else if (static_cast<unsigned char>(c) < ' ' && c != '\t') {
      escaped += '?';
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string attribute(const std::string& name, const std::string& value) {
  return fmt::format(" {}=\"{}\"", name, escape(value));
}

std::string seconds_text(double seconds) {
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), seconds, std::chars_format::fixed, 6).ptr;
  return {buffer.data(), end};
}

/// The class name `a.b` of `a/b.yaml`, by which viewers group tests.
std::string class_name(const std::string& file) {
  std::string name = std::filesystem::path(file).replace_extension().generic_string();
  for (char& c : name) {
    if (c == '/') c = '.';
  }
  return name.substr(std::min(name.find_first_not_of('.'), name.size()));
}

std::string failure_text(const Failure& failure) {
  const Mismatch& mismatch = failure.mismatch;
  std::string text = fmt::format("{}:{}: ", mismatch.where.file, mismatch.where.line);
  if (failure.row)
    text += fmt::format("row {}: ", failure.row_name.empty() ? std::to_string(*failure.row + 1) : failure.row_name);
  text += mismatch.text();
  if (!failure.writer.empty()) text += fmt::format(" ({})", failure.writer);
  for (const std::string& link : failure.chain) text += "\n  " + link;
  return text;
}

}  // namespace

std::string junit_report(const std::vector<TestResult>& tests, const SuiteResult& suite) {
  const std::string counts =
      attribute("tests", std::to_string(tests.size())) + attribute("failures", std::to_string(suite.failed)) +
      attribute("errors", std::to_string(suite.not_loaded)) + attribute("time", seconds_text(suite.wall_seconds));
  std::string xml = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites{}>\n  <testsuite{}{}>\n",
                                counts, attribute("name", "salu"), counts);
  for (const TestResult& test : tests) {
    // Documents of one file may have the same name.
    const std::string number = test.id.substr(std::min(test.file.size(), test.id.size()));
    const bool is_named = test.name != test.id && !number.empty();
    const std::string name = is_named ? test.name + " " + number : test.name;
    xml += fmt::format("    <testcase{}{}{}{}", attribute("classname", class_name(test.file)), attribute("name", name),
                       attribute("file", test.file), attribute("time", seconds_text(test.seconds)));
    if (test.status == TestResult::Status::passed) {
      xml += "/>\n";
      continue;
    }
    xml += ">\n";
    if (test.error) {
      xml += fmt::format("      <error{}>{}</error>\n", attribute("message", test.error->message),
                         escape(test.error->to_string()));
    } else {
      std::string message = test.failures.empty() ? "" : failure_text(test.failures.front());
      if (test.is_table) message = fmt::format("{} of {} rows: {}", test.failed_runs, test.runs, message);
      xml += "      <failure" + attribute("message", message) + ">";
      for (const Failure& failure : test.failures) xml += escape(failure_text(failure)) + "\n";
      xml += "</failure>\n";
    }
    xml += "    </testcase>\n";
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

std::string lcov_report(const SuiteResult& suite) {
  std::string text;
  for (const auto& [file, lines] : suite.coverage) {
    text += "TN:\nSF:" + support::printable(file) + "\n";
    std::size_t hit = 0;
    for (const auto& [line, count] : lines) {
      text += fmt::format("DA:{},{}\n", line, count);
      hit += count != 0 ? 1 : 0;
    }
    text += fmt::format("LF:{}\nLH:{}\nend_of_record\n", lines.size(), hit);
  }
  return text;
}

}  // namespace salu
