#include <gmock/gmock.h>

#include "client.hpp"
#include "dap/framing.hpp"
#include "unit/loader_helpers.hpp"

// The start and end of a session, and refused requests. The positions of fork_join.yaml are in
// docs/how-to/debugging.md.
namespace salu::dap {
namespace {

using testing::HasSubstr;

TEST(DapLifecycle, LaunchesAndStopsAtTheEntry) {
  Client client;
  const Json capabilities = client.body("initialize", {{"adapterID", "salu"}});
  EXPECT_TRUE(capabilities["supportsStepBack"].get<bool>());
  EXPECT_EQ(capabilities["exceptionBreakpointFilters"].size(), 3U);
  EXPECT_EQ(client.count("initialized"), 0U);
  client.body("launch", {{"program", fork_join}});
  EXPECT_EQ(client.count("initialized"), 1U);
  EXPECT_EQ(client.count("stopped"), 0U);
  client.body("configurationDone");
  EXPECT_EQ(client.last("stopped")["reason"], "entry");
  EXPECT_EQ(client.last("stopped")["threadId"], 1);
  EXPECT_EQ(client.pc(), "0x1000");
  const Json threads = client.body("threads")["threads"];
  ASSERT_EQ(threads.size(), 1U);
  EXPECT_EQ(threads[0]["name"], "wave: nested fork and join");
  client.body("disconnect");
  EXPECT_TRUE(client.server.has_ended());
}

TEST(DapLifecycle, NumbersWhatItSendsAndAnswersBeforeItTells) {
  Client client;
  client.start({{"program", fork_join}});
  client.body("next", thread);
  for (std::size_t i = 0; i < client.messages.size(); ++i) EXPECT_EQ(client.messages[i]["seq"], i + 1);
  const Json& answer = client.messages[client.messages.size() - 2];
  EXPECT_EQ(answer["command"], "next");
  EXPECT_EQ(answer["request_seq"], client.seq);
  EXPECT_EQ(client.messages.back()["event"], "stopped");
}

TEST(DapLifecycle, RunsToTheEndAndStaysThere) {
  Client client;
  client.start({{"program", fork_join}, {"stopOnEntry", false}});
  Json stopped = client.last("stopped");
  EXPECT_EQ(stopped["reason"], "end of program");
  EXPECT_THAT(stopped["text"].get<std::string>(),
              HasSubstr("end_program at 0x1038 <outer_join+0x8> after 17 instructions: s_endpgm"));
  EXPECT_EQ(client.pc(), "0x1038");
  // 17 instructions were executed; the last one is not executed again.
  client.body("stepBack", by_instruction);
  EXPECT_EQ(client.last("stopped")["reason"], "step");
  EXPECT_EQ(client.pc(), "0x1038");
  client.body("stepBack", by_instruction);
  EXPECT_EQ(client.pc(), "0x1034");
  client.body("continue", thread);
  EXPECT_EQ(client.last("stopped")["reason"], "end of program");
  EXPECT_EQ(client.count("terminated"), 0U);
  client.body("continue", thread);
  EXPECT_EQ(client.last("exited")["exitCode"], 0);
  EXPECT_EQ(client.count("terminated"), 1U);
  EXPECT_EQ(client.refusal("stackTrace", thread), "the program has ended");
  client.body("disconnect");
}

TEST(DapLifecycle, EndsTheSessionAtTheEndWhereTheClientWantsThat) {
  Client client;
  client.launch({{"program", fork_join}, {"stopOnEntry", false}});
  client.body("setExceptionBreakpoints", {{"filters", Json::array()}});
  client.body("configurationDone");
  EXPECT_EQ(client.count("stopped"), 0U);
  EXPECT_EQ(client.last("exited")["exitCode"], 0);
  EXPECT_EQ(client.count("terminated"), 1U);
  EXPECT_THAT(client.last("output")["output"].get<std::string>(), HasSubstr("end_program"));
}

TEST(DapLifecycle, RunsWithoutDebugging) {
  Client client;
  client.launch({{"program", fork_join}, {"noDebug", true}});
  const Json set = client.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "even"}}}}});
  EXPECT_FALSE(set["breakpoints"][0]["verified"].get<bool>());
  EXPECT_EQ(set["breakpoints"][0]["message"], "the program was launched without debugging");
  EXPECT_EQ(set["breakpoints"][0]["reason"], "failed");
  client.body("configurationDone");
  EXPECT_EQ(client.count("stopped"), 0U);
  EXPECT_EQ(client.count("terminated"), 1U);
}

TEST(DapLifecycle, TakesTheOptionsOfTheCommand) {
  Client client;
  client.start({{"program", std::string(SALU_PROGRAMS_DIR) + "/gcd.yaml"},
                {"set", {"s0=12", "s1=18"}},
                {"symbol", "first_is_larger"},
                {"maxSteps", 5}});
  EXPECT_EQ(client.value("s1"), "0x00000012 (18)");
  EXPECT_EQ(client.pc(), "0x1018");
  client.body("continue", thread);
  EXPECT_EQ(client.last("stopped")["reason"], "pause");
  EXPECT_THAT(client.last("stopped")["text"].get<std::string>(),
              HasSubstr("5 instructions were executed by one request"));
  client.body("disconnect");

  Client other;
  other.start({{"program", std::string(SALU_PROGRAMS_DIR) + "/gcd.yaml"}, {"set", {{"s0", 7}, {"s1", "0x10"}}}});
  EXPECT_EQ(other.value("s0 + s1"), "0x17 (23)");
}

TEST(DapLifecycle, AStoreBeyondTheLimitOfMemoryEndsTheRun) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("far.yaml",
                                        "target: gfx900\nregisters: {s0: 1, s2: 0x100000, s3: 0}\n"
                                        "code: {asm: \"a: s_store_dword s0, s[2:3], 0x0\\n s_add_u32 s2, s2, 0x1000\\n"
                                        " s_branch a\\n\"}\nmemory: [{at: 0x100000, size: 0x100000}]\n");
  for (const Json& limit : {Json("8 KiB"), Json(8192)}) {
    Client client;
    client.start({{"program", file}, {"maxMemory", limit}});
    client.body("continue", thread);
    EXPECT_THAT(client.last("stopped")["text"].get<std::string>(), HasSubstr("more than 8192 bytes"));
    client.body("disconnect");
  }
}

TEST(DapLifecycle, ChoosesARowOfATable) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("t.yaml",
                                        "target: gfx900\ncode: {asm: \"s_add_u32 s2, s0, s1\\n s_endpgm\\n\"}\n"
                                        "cases:\n  - {s0: 1, s1: 2}\n  - {name: second, s0: 3, s1: 4}\n");
  Client client;
  client.body("initialize");
  EXPECT_THAT(client.refusal("launch", {{"program", file}}),
              HasSubstr("is a table of 2 rows; select one by number or name with `case`"));
  EXPECT_THAT(client.refusal("launch", {{"program", file}, {"case", "third"}}),
              HasSubstr("`case` third: no such row; `cases:` has 2 rows"));
  client.body("launch", {{"program", file}, {"case", 2}});
  client.body("configurationDone");
  EXPECT_EQ(client.value("s0"), "0x00000003");
}

TEST(DapLifecycle, ChoosesAScenarioOfAFile) {
  const test::TemporaryFolder folder;
  const std::string one = "target: gfx900\ncode: {words: [0xbf810000]}\n";
  const std::string file = folder.write("two.yaml", one + "---\nname: other\n" + one + "registers: {s0: 7}\n");
  Client client;
  client.body("initialize");
  EXPECT_THAT(client.refusal("launch", {{"program", file}}),
              HasSubstr("the file contains 2 scenarios; select one by number or name with `document`"));
  EXPECT_THAT(client.refusal("launch", {{"program", file}, {"document", 3}}),
              HasSubstr("`document` 3: the file has 2"));
  client.body("launch", {{"program", file}, {"document", "other"}});
  client.body("configurationDone");
  EXPECT_EQ(client.value("s0"), "0x00000007");
}

TEST(DapLifecycle, RefusesWhatItCannotLaunch) {
  Client client;
  client.body("initialize");
  EXPECT_THAT(client.refusal("attach"), HasSubstr("cannot attach"));
  EXPECT_THAT(client.refusal("launch"), HasSubstr("`program` is missing"));
  EXPECT_THAT(client.refusal("launch", {{"program", "-"}}), HasSubstr("not standard input"));
  EXPECT_THAT(client.refusal("launch", {{"program", 7}}), HasSubstr("`program`: expected a string"));
  EXPECT_THAT(client.refusal("launch", {{"program", "/nowhere.yaml"}}), HasSubstr("/nowhere.yaml"));
  EXPECT_THAT(client.refusal("launch", {{"program", fork_join}, {"mcpu", "gfx1"}}), HasSubstr("gfx1"));
  EXPECT_THAT(client.refusal("launch", {{"program", fork_join}, {"onVector", "wait"}}),
              HasSubstr("\"stop\" or \"skip\""));
  EXPECT_THAT(client.refusal("launch", {{"program", fork_join}, {"historyMemory", 0}}), HasSubstr("1 to 65536 MiB"));
  EXPECT_THAT(client.refusal("launch", {{"program", fork_join}, {"historyMemory", -1}}), HasSubstr("at least 0"));
  EXPECT_THAT(client.refusal("launch", {{"program", fork_join}, {"set", {{"s0", true}}}}), HasSubstr("`set`"));
  EXPECT_THAT(client.refusal("launch", {{"program", fork_join}, {"set", {"q9=1"}}}), HasSubstr("q9"));
  const Json response = client.ask("launch", {{"program", "/nowhere.yaml"}});
  EXPECT_TRUE(response["body"]["error"]["showUser"].get<bool>());
  EXPECT_EQ(client.count("initialized"), 0U);
  // A correct request still works after these.
  client.body("launch", {{"program", fork_join}});
}

TEST(DapLifecycle, RefusesWhatIsOutOfOrder) {
  Client client;
  EXPECT_EQ(client.refusal("launch", {{"program", fork_join}}), "`initialize` must come first");
  client.body("initialize");
  EXPECT_EQ(client.refusal("initialize"), "`initialize` was sent before");
  EXPECT_EQ(client.refusal("stackTrace", thread), "no program has been launched yet");
  EXPECT_EQ(client.refusal("continue", thread), "no program has been launched yet");
  client.body("launch", {{"program", fork_join}});
  EXPECT_THAT(client.refusal("launch", {{"program", fork_join}}), HasSubstr("was sent before"));
  EXPECT_THAT(client.refusal("next", thread), HasSubstr("`configurationDone` starts the program"));
  client.body("configurationDone");
  EXPECT_THAT(client.refusal("launch", {{"program", fork_join}}), HasSubstr("was sent before"));
  EXPECT_THAT(client.refusal("configurationDone"), HasSubstr("was sent before"));
  EXPECT_THAT(client.refusal("attach"), HasSubstr("cannot attach"));
  EXPECT_EQ(client.refusal("conquer"), "unsupported request `conquer`");
  EXPECT_EQ(client.refusal("next", {{"threadId", 2}}), "no thread 2: the wave is thread 1");
  EXPECT_EQ(client.refusal("next", {{"threadId", "one"}}), "`threadId`: expected an integer of at most 63 bits");
  EXPECT_EQ(client.pc(), "0x1000");
}

TEST(DapLifecycle, RefusesWhatIsLateBeforeWhatIsBusy) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("t.yaml", "target: gfx900\ncode: {asm: \"loop: s_branch loop\"}\n");
  Client client;
  client.launch({{"program", file}, {"stopOnEntry", false}});
  client.post("configurationDone");
  ASSERT_TRUE(client.server.is_running());
  const auto refusal = [&](const char* command) {
    return client.post(command, {{"program", file}})["body"]["error"]["format"].get<std::string>();
  };
  EXPECT_EQ(refusal("initialize"), "`initialize` was sent before");
  EXPECT_EQ(refusal("launch"), "`launch` was sent before");
  EXPECT_EQ(refusal("configurationDone"), "`configurationDone` was sent before");
  EXPECT_THAT(refusal("attach"), HasSubstr("cannot attach"));
  EXPECT_EQ(refusal("continue"), "the program is running: pause it before `continue`");
  client.post("terminate");
  EXPECT_EQ(refusal("launch"), "`launch` was sent before");
  EXPECT_EQ(refusal("continue"), "the program has ended");
}

TEST(DapLifecycle, HasNothingAfterTheEndOfASessionWithoutAProgram) {
  Client client;
  client.body("initialize");
  client.body("terminate");
  for (const char* command : {"launch", "loadedSources", "breakpointLocations", "restart", "threads", "next"})
    EXPECT_EQ(client.refusal(command), "the session has ended, without a program") << command;
  EXPECT_EQ(client.refusal("initialize"), "`initialize` was sent before");
  client.body("disconnect");
}

TEST(DapLifecycle, NamesTheAttributesThatAreWrong) {
  Client client;
  client.body("initialize");
  const auto refusal = [&](const char* name, const Json& value) {
    return client.refusal("launch", {{"program", fork_join}, {name, value}});
  };
  EXPECT_EQ(refusal("maxSteps", 0), "`maxSteps`: expected a number of at least 1");
  const std::string no_size = "`maxMemory`: expected a number of bytes below 2^63, or a text with its unit: \"64 MiB\"";
  EXPECT_EQ(refusal("maxMemory", "64 MB"), no_size);
  EXPECT_EQ(refusal("maxMemory", -1), no_size);
  EXPECT_EQ(refusal("maxMemory", {1}), no_size);
  EXPECT_EQ(refusal("wave", -1), "`wave`: expected a number of at least 0");
  EXPECT_THAT(refusal("wave", 1),
              HasSubstr("no wave 1: only `kernel:` with `waves: all`, and `work_groups:`, have several"));
  EXPECT_EQ(refusal("document", -1), "`document`: expected a number of at least 1, or a name");
  EXPECT_EQ(refusal("case", true), "`case`: expected a number of at least 1, or a name");
  EXPECT_EQ(refusal("set", 7), "`set`: expected registers and values: {\"s0\": 7}, or a list: [\"s0=7\"]");
  EXPECT_EQ(refusal("set", {"garbage"}), "`set`: expected a register and its value in each text, e.g. [\"s0=7\"]");
}

TEST(DapLifecycle, FilesOfAScenarioLieBelowTheRoot) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("inside"));
  (void)folder.write("code.s", "s_endpgm\n");
  const std::string program = folder.write("inside/it.yaml", "target: gfx900\ncode: {file: ../code.s}\n");
  const auto launch = [&](Client& client, const char* name, const std::string& root) {
    client.body("initialize");
    return client.post("launch", {{"program", program}, {name, folder.path(root)}});
  };
  Client nowhere;
  nowhere.body("initialize");
  EXPECT_THAT(nowhere.refusal("launch", {{"program", program}, {"root", ""}}),
              HasSubstr("`root`: expected a folder; "));
  Client inside;
  EXPECT_TRUE(launch(inside, "root", "")["success"].get<bool>());
  Client outside;
  EXPECT_THAT(launch(outside, "root", "inside").dump(), HasSubstr("is outside of " + folder.path("inside")));

  // A client cannot widen the restriction of the server.
  Launch defaults;
  defaults.load.files.root = folder.path("inside");
  Client confined("", defaults);
  EXPECT_THAT(launch(confined, "root", "").dump(),
              HasSubstr("`root`: expected a folder in " + folder.path("inside") + ", the server's `--root`"));
  Client narrower("", defaults);
  EXPECT_THAT(launch(narrower, "root", "inside/").dump(), HasSubstr("is outside of "));
  Client again("", defaults);
  EXPECT_THAT(launch(again, "symbol", "").dump(), HasSubstr("is outside of "));
}

TEST(DapLifecycle, StepsAtTheEndSayItOnceMore) {
  Client client;
  client.start({{"program", fork_join}, {"stopOnEntry", false}});
  for (const char* command : {"next", "stepIn", "stepOut"}) {
    const std::size_t stops = client.count("stopped");
    client.body(command, thread);
    EXPECT_EQ(client.count("stopped"), stops + 1) << command;
    EXPECT_EQ(client.last("stopped")["reason"], "end of program");
  }
  EXPECT_EQ(client.count("terminated"), 0U);
  client.body("continue", thread);
  EXPECT_EQ(client.count("terminated"), 1U);
}

TEST(DapLifecycle, ConfigurationMayComeBeforeTheProgram) {
  Client client;
  client.body("initialize");
  const Json set = client.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "even"}}}}});
  EXPECT_FALSE(set["breakpoints"][0]["verified"].get<bool>());
  client.body("configurationDone");
  client.body("launch", {{"program", fork_join}, {"stopOnEntry", false}});
  client.run();
  const Json changed = client.last("breakpoint");
  EXPECT_EQ(changed["reason"], "changed");
  EXPECT_TRUE(changed["breakpoint"]["verified"].get<bool>());
  EXPECT_EQ(changed["breakpoint"]["id"], set["breakpoints"][0]["id"]);
  EXPECT_EQ(client.last("stopped")["reason"], "function breakpoint");
  EXPECT_EQ(client.pc(), "0x1028");
}

TEST(DapLifecycle, AnswersWhatIsNoRequest) {
  Client client;
  const auto refusal = [&](std::string_view text) {
    const Json response = client.post_text(text);
    EXPECT_FALSE(response["success"].get<bool>()) << text;
    return response["body"]["error"]["format"].get<std::string>();
  };
  EXPECT_EQ(refusal("garbage"), "the message is not valid JSON or UTF-8");
  EXPECT_EQ(refusal(""), "the message is not valid JSON or UTF-8");
  EXPECT_EQ(refusal("{\"seq\":1,\"type\":\"request\",\"command\":\"\xff\"}"), "the message is not valid JSON or UTF-8");
  EXPECT_EQ(refusal("[1, 2]"), "expected a JSON object");
  EXPECT_EQ(refusal(std::string(100'000, '[')), "the message is not valid JSON or UTF-8");
  EXPECT_EQ(refusal(std::string(100'000, '[') + std::string(100'000, ']')), "expected a JSON object");
  // Eight million nested lists would take a gigabyte.
  const std::size_t most = most_message_bytes / 2;
  EXPECT_EQ(refusal(std::string(most, '[') + std::string(most, ']')), "the message is not valid JSON or UTF-8");
  EXPECT_EQ(refusal("{}"), "`seq` is missing");
  EXPECT_EQ(refusal("{\"seq\":1,\"type\":\"request\"}"), "`command` is missing");
  EXPECT_EQ(refusal("{\"seq\":1,\"type\":5,\"command\":\"launch\"}"), "`type`: expected a string");
  EXPECT_EQ(refusal("{\"seq\":1,\"type\":\"request\",\"command\":\"initialize\",\"arguments\":[]}"),
            "`arguments`: expected an object");
  EXPECT_EQ(client.post_text("{\"seq\":1,\"type\":\"response\",\"request_seq\":1}"), nullptr);
  EXPECT_EQ(client.post_text("{\"seq\":1,\"type\":\"event\",\"event\":\"x\"}"), nullptr);
  client.body("initialize");
}

TEST(DapLifecycle, NothingIsDoneWithoutTheToken) {
  const auto post = [](Server& server, std::string_view command, const Json& arguments) {
    server.receive(Json{{"seq", 1}, {"type", "request"}, {"command", command}, {"arguments", arguments}}.dump());
  };
  for (const Json& token : {Json(), Json("wrong!"), Json("secre"), Json("secret "), Json(""), Json(7)}) {
    std::vector<Json> answers;
    Server server({.send = [&](const std::string& text) { answers.push_back(Json::parse(text)); },
                   .exit_code_of = [](const Stop&, const Expectation*, const std::vector<Mismatch>&) { return 0; },
                   .token = "secret"});
    post(server, "initialize", Json::object());
    EXPECT_FALSE(server.has_begun());
    EXPECT_FALSE(server.has_ended());
    post(server, "launch", {{"program", fork_join}, {"token", token}});
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_TRUE(answers[0]["success"].get<bool>());
    EXPECT_FALSE(answers[1]["success"].get<bool>());
    EXPECT_THAT(answers[1]["message"].get<std::string>(), HasSubstr("token"));
    EXPECT_TRUE(server.has_ended());
  }
  Client client("secret");
  client.body("initialize", {{"token", "secret"}});
  EXPECT_TRUE(client.server.has_begun());
  client.body("launch", {{"program", fork_join}});
  client.body("configurationDone");
  EXPECT_EQ(client.last("stopped")["reason"], "entry");
}

TEST(DapLifecycle, RefusesUris) {
  Client client;
  EXPECT_THAT(client.refusal("initialize", {{"pathFormat", "uri"}}), HasSubstr("expected paths"));
  client.body("initialize", {{"pathFormat", "path"}});
}

TEST(DapLifecycle, RestartsFromTheFile) {
  const test::TemporaryFolder folder;
  const std::string text = "target: gfx900\ncode:\n  asm: |\n    s_mov_b32 s0, 1\n    last: s_endpgm\n";
  const std::string file = folder.write("t.yaml", text);
  Client client;
  client.launch({{"program", file}});
  client.body("setFunctionBreakpoints", {{"breakpoints", {{{"name", "last"}}}}});
  client.body("configurationDone");
  client.body("continue", thread);
  EXPECT_EQ(client.value("s0"), "0x00000001");
  std::string other = text;
  other.replace(other.find("s0, 1"), 5, "s0, 7");
  (void)folder.write("t.yaml", other);
  client.body("restart");
  EXPECT_EQ(client.last("stopped")["reason"], "entry");
  EXPECT_EQ(client.value("s0"), "0x00000000");
  client.body("continue", thread);
  EXPECT_EQ(client.last("stopped")["reason"], "function breakpoint");
  EXPECT_EQ(client.value("s0"), "0x00000007");
  client.body("restart", {{"arguments", {{"program", file}, {"stopOnEntry", false}}}});
  EXPECT_EQ(client.last("stopped")["reason"], "function breakpoint");
  std::remove(file.c_str());
  EXPECT_THAT(client.refusal("restart"), HasSubstr("t.yaml"));
  EXPECT_EQ(client.value("s0"), "0x00000007");
}

TEST(DapLifecycle, Terminates) {
  Client client;
  client.start({{"program", fork_join}});
  client.body("terminate");
  EXPECT_EQ(client.count("terminated"), 1U);
  EXPECT_FALSE(client.server.has_ended());
  client.body("terminate");
  EXPECT_EQ(client.count("terminated"), 1U);
  client.body("disconnect");
  EXPECT_TRUE(client.server.has_ended());
}

TEST(DapLifecycle, PassesOnWhoIsToBlameForMisuse) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("t.yaml",
                                        "target: gfx900\ncode:\n  asm: |\n    s_cbranch_i_fork s[32:33], then\n"
                                        "    s_nop 0\n    s_branch join\n    then: s_mov_b32 s0, 5\n"
                                        "    join: s_cbranch_join s40\n    s_endpgm\n"
                                        "registers: {\"s[32:33]\": 0xff, s40: 0}\n");
  Client client;
  client.start({{"program", file}});
  client.body("next", thread);
  client.body("next", thread);
  const std::size_t outputs = client.count("output");
  client.body("next", thread);
  EXPECT_EQ(client.count("output"), outputs + 1);
  EXPECT_THAT(client.last("output")["output"].get<std::string>(),
              HasSubstr("warning: control_stack_misuse at 0x1010 <join>: entry 0 (s[0:3]) is not what the fork at "
                        "0x1000 pushed: exec=0xffffffffffffff00, pc=0x1004; s_mov_b32 s0, 5 at 0x100c overwrote it"));
  // Also at the stop, with the instruction that caused it and the one affected.
  const Json stop = client.last("stopped");
  EXPECT_EQ(stop["description"], "Paused after a step; the control stack was misused");
  EXPECT_THAT(stop["text"].get<std::string>(),
              testing::AllOf(testing::StartsWith("Misuse of the control stack: entry 0 (s[0:3]) is not what the fork"),
                             HasSubstr("\nDone by 0x100c <then>: s_mov_b32 s0, 5    // "),
                             HasSubstr("\nAffected: 0x1010 <join>: s_cbranch_join s40    // ")));
  // Reported once.
  client.body("next", thread);
  EXPECT_EQ(client.last("stopped")["description"].get<std::string>().find("misused"), std::string::npos);
}

TEST(DapLifecycle, TellsHowFarACommandIs) {
  const std::string file = std::string(SALU_PROGRAMS_DIR) + "/gcd.yaml";
  const Json history = {{"expression", "history s0"}, {"context", "repl"}};
  for (const bool takes_progress : {true, false}) {
    Client client("", {}, std::chrono::milliseconds(0));
    client.body("initialize", {{"supportsProgressReporting", takes_progress}});
    client.body("launch", {{"program", file}});
    client.body("configurationDone");
    client.run();
    client.body("evaluate", {{"expression", "goto end"}, {"context", "repl"}});
    const std::size_t begun = client.count("progressStart");
    client.body("evaluate", history);
    EXPECT_EQ(client.count("progressStart"), takes_progress ? begun + 1 : 0U);
    EXPECT_EQ(client.count("progressEnd"), client.count("progressStart"));
    if (!takes_progress) continue;
    const Json start = client.last("progressStart");
    EXPECT_EQ(start["title"], "history s0");
    EXPECT_TRUE(start["cancellable"].get<bool>());
    EXPECT_EQ(client.last("progressEnd")["progressId"], start["progressId"]);
  }
  // Short commands are not reported.
  Client client;
  client.body("initialize", {{"supportsProgressReporting", true}});
  client.body("launch", {{"program", file}});
  client.body("configurationDone");
  client.run();
  client.body("evaluate", history);
  EXPECT_EQ(client.count("progressStart"), 0U);
}

TEST(DapLifecycle, CancelEndsASearchAndNothingElse) {
  EXPECT_TRUE(Server::is_urgent(R"({"seq":1,"type":"request","command":"cancel"})"));
  Client client;
  EXPECT_TRUE(client.body("initialize")["supportsCancelRequest"].get<bool>());
  client.body("cancel", {{"requestId", 7}});
  EXPECT_FALSE(client.server.has_ended());
  client.body("cancel");
}

TEST(DapLifecycle, PassesOnRemarksAndWarnings) {
  const test::TemporaryFolder folder;
  // s_trap without a trap handler's flag is ignored, which is a warning.
  const std::string file = folder.write("t.yaml", "target: gfx900\ncode: {asm: \"s_trap 2\\n s_endpgm\\n\"}\n");
  Client client;
  client.start({{"program", file}});
  client.body("next", thread);
  EXPECT_THAT(client.last("output")["output"].get<std::string>(), HasSubstr("warning: trap_ignored at 0x1000"));
  const std::size_t outputs = client.count("output");
  client.body("stepBack", thread);
  client.body("next", thread);
  EXPECT_EQ(client.count("output"), outputs) << "a warning is news once";
}

TEST(DapLifecycle, KnowsWhatIsUrgent) {
  EXPECT_TRUE(Server::is_urgent("{\"command\":\"pause\"}"));
  EXPECT_TRUE(Server::is_urgent("{\"command\":\"disconnect\"}"));
  EXPECT_FALSE(Server::is_urgent("{\"command\":\"setBreakpoints\"}"));
  EXPECT_FALSE(Server::is_urgent("{\"command\":7}"));
  EXPECT_FALSE(Server::is_urgent("pause"));
}

}  // namespace
}  // namespace salu::dap
