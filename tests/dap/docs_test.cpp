#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "client.hpp"

// The transcripts of docs/how-to/editors.md are correct.
namespace salu::dap {
namespace {

using testing::HasSubstr;

std::string read_page() {
  std::ifstream file(std::string(SALU_SOURCE_DIR) + "/docs/how-to/editors.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The lines of the first block of a language.
std::vector<std::string> block(const std::string& language) {
  const std::string page = read_page();
  const std::string fence = "```" + language + "\n";
  const std::size_t start = page.find(fence) + fence.size();
  std::istringstream text(page.substr(start, page.find("```", start) - start));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

class DapDocs : public testing::Test {
 protected:
  /// The messages to a client for a line of the walk.
  std::vector<std::string> answers(const std::string& command, const std::string& argument) {
    const std::size_t stops = client_.count("stopped");
    if (command == "launch") {
      client_.start({{"program", argument}});
    } else if (command == "setDataBreakpoints") {
      client_.body(command, {{"breakpoints", {{{"dataId", argument}}}}});
    } else if (command == "variables") {
      return variables(argument);
    } else if (command == "evaluate" || command == "repl") {
      const char* const context = command == "repl" ? "repl" : "watch";
      return {client_.body("evaluate", {{"expression", argument}, {"context", context}})["result"].get<std::string>()};
    } else {
      client_.body(command, thread);
    }
    if (client_.count("stopped") == stops) return {};
    const Json stop = client_.last("stopped");
    const Json& text = stop["reason"] == "data breakpoint" ? stop["text"] : stop["description"];
    return {"stopped: " + stop["reason"].get<std::string>() + ": " + text.get<std::string>()};
  }

  std::vector<std::string> variables(const std::string& scope) {
    std::vector<std::string> lines;
    const Json scopes = client_.body("scopes", {{"frameId", 1}})["scopes"];
    for (const Json& each : scopes) {
      if (each["name"] != scope) continue;
      const Json list = client_.body("variables", {{"variablesReference", each["variablesReference"]}})["variables"];
      for (const Json& one : list)
        lines.push_back(one["name"].get<std::string>() + " = " + one["value"].get<std::string>());
    }
    return lines;
  }

  Client client_;
};

TEST_F(DapDocs, TheWalkGoesAsShown) {
  // The page uses paths relative to the root of the sources.
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(SALU_SOURCE_DIR);
  std::vector<std::string> told;
  std::size_t requests = 0;
  for (const std::string& line : block("dap")) {
    ASSERT_TRUE(line.starts_with("-> ") || line.starts_with("<- ")) << line;
    if (line.starts_with("<- ")) {
      ASSERT_FALSE(told.empty()) << line;
      EXPECT_EQ(line.substr(3), told.front());
      told.erase(told.begin());
      continue;
    }
    EXPECT_THAT(told, testing::IsEmpty()) << "in front of " << line;
    const std::size_t blank = std::min(line.find(' ', 3), line.size());
    told = answers(line.substr(3, blank - 3), line.substr(std::min(blank + 1, line.size())));
    ++requests;
  }
  EXPECT_GE(requests, 8U);
  std::filesystem::current_path(before);
}

TEST_F(DapDocs, TheAttributesAreThoseOfLaunch) {
  client_.body("initialize");
  std::istringstream page(read_page());
  std::size_t attributes = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    const std::string name = line.substr(3, line.find('`', 3) - 3);
    // No attribute accepts half a number, and the refusal names it.
    Json arguments = {{"program", fork_join}};
    arguments[name] = 0.5;
    EXPECT_THAT(client_.refusal("launch", arguments), HasSubstr("`" + name + "`"));
    ++attributes;
  }
  EXPECT_EQ(attributes, 24U);
}

TEST_F(DapDocs, TheLaunchConfigurationIsOne) {
  std::string text;
  for (const std::string& line : block("json")) text += line + "\n";
  const Json json = Json::parse(text);
  for (Json configuration : json["configurations"]) {
    std::string program = configuration["program"].get<std::string>();
    program.replace(0, std::string("${workspaceFolder}").size(), SALU_SOURCE_DIR);
    configuration["program"] = program;
    Client client;
    client.start(configuration);
    EXPECT_EQ(client.count("stopped"), 1U);
  }
}

}  // namespace
}  // namespace salu::dap
