#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "dap/request.hpp"
#include "dap/threads.hpp"
#include "dap/views.hpp"
#include "support/numbers.hpp"

// Requests that set breakpoints.
namespace salu::dap {
namespace {

struct WatchAccess {
  std::string_view name;
  debug::WatchKind kind;
};
constexpr std::array<WatchAccess, 3> watch_accesses = {
    {{"write", debug::WatchKind::change}, {"read", debug::WatchKind::read}, {"readWrite", debug::WatchKind::access}}};

/// Reads one entry of `breakpoints`.
BreakpointWish read_wish(Arguments& arguments, BreakpointKind kind, const ClientTraits& client) {
  BreakpointWish wish{.kind = kind};
  wish.condition = arguments.text("condition");
  wish.hit_condition = arguments.text("hitCondition");
  switch (kind) {
    case BreakpointKind::source:
      wish.line = client.line_from(arguments.needed_count("line"));
      wish.log_message = arguments.text("logMessage");
      break;
    case BreakpointKind::function:
      wish.what = arguments.needed_text("name");
      break;
    case BreakpointKind::instruction: {
      const std::string reference = arguments.needed_text("instructionReference");
      const i64 offset = arguments.integer("offset", 0);
      const auto address = support::parse_unsigned(reference);
      wish.what = address ? support::hex(*address + static_cast<u64>(offset)) : reference;
      break;
    }
    case BreakpointKind::data: {
      read_data_id(arguments.needed_text("dataId"), wish);
      const auto access = std::ranges::find(watch_accesses, arguments.text("accessType", "write"), &WatchAccess::name);
      if (access == watch_accesses.end()) {
        arguments.refuse("accessType", "\"read\", \"write\" or \"readWrite\"");
      } else {
        wish.watch = access->kind;
      }
      break;
    }
  }
  return wish;
}

Result<std::vector<BreakpointWish>> read_wishes(Arguments& arguments, BreakpointKind kind, const ClientTraits& client) {
  std::vector<BreakpointWish> wishes;
  for (Arguments& each : arguments.objects("breakpoints")) {
    wishes.push_back(read_wish(each, kind, client));
    arguments.take_problem(each);
  }
  if (arguments.problem()) return *arguments.problem();
  return wishes;
}

/// Replaces all breakpoints of a kind (for `source`: of a file).
Json replace_by(Adapter& adapter, BreakpointKind kind, const std::string& file,
                const std::vector<BreakpointWish>& wishes) {
  Json list = adapter.breakpoints.replace(kind, file, wishes);
  for (Json& each : list) adapter.client.adjust_lines(each);
  return {{"breakpoints", std::move(list)}};
}

/// The action of a request for a kind without files.
template <BreakpointKind kind>
Result<Json> replace_all(Adapter& adapter, Arguments& arguments) {
  const Result<std::vector<BreakpointWish>> wishes = read_wishes(arguments, kind, adapter.client);
  if (!wishes) return wishes.error();
  return replace_by(adapter, kind, "", *wishes);
}

/// Describes a watchable expression. Only the session can determine which accesses it can detect.
Json describe_watch(debug::Session& session, const std::string& expression) {
  Json allowed = Json::array();
  std::string problem;
  for (const WatchAccess& access : watch_accesses) {
    const Result<u32> id = session.watch(expression, access.kind);
    if (id) {
      session.remove_breakpoint(*id);
      allowed.push_back(access.name);
    } else if (problem.empty()) {
      problem = id.error().message;
    }
  }
  if (allowed.empty()) return {{"dataId", nullptr}, {"description", problem}};
  const bool is_of_wave = session.has_several_waves() && !session.parse(expression)->registers().empty();
  const std::string id = is_of_wave ? data_id_in_wave(expression, session.wave().number) : expression;
  return {{"dataId", id}, {"description", id}, {"accessTypes", std::move(allowed)}, {"canPersist", true}};
}

}  // namespace

std::span<const Request> breakpoint_requests() {
  static constexpr std::array requests = std::to_array<Request>({
      {.name = "setBreakpoints",
       .states = states::not_fresh,
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         Arguments source = arguments.object("source");
         const u64 reference = source.count("sourceReference", 0);
         const std::string path = source.text("path");
         arguments.take_problem(source);
         if (arguments.problem()) return *arguments.problem();
         if (path.empty() && reference == 0) return refusal("`source` needs a `path` or a `sourceReference`");
         if (reference != 0 && reference != static_cast<u64>(Sources::listing_reference))
           return refusal(fmt::format("no source with the reference {}", reference));
         Result<std::vector<BreakpointWish>> wishes = read_wishes(arguments, BreakpointKind::source, adapter.client);
         if (!wishes) return wishes.error();
         const std::string file = reference == 0 ? Sources::one_name(path) : "";
         for (BreakpointWish& wish : *wishes) wish.path = file;
         return replace_by(adapter, BreakpointKind::source, file, *wishes);
       }},
      {.name = "setFunctionBreakpoints", .states = states::not_fresh, .handle = replace_all<BreakpointKind::function>},
      {.name = "setInstructionBreakpoints",
       .states = states::not_fresh,
       .handle = replace_all<BreakpointKind::instruction>},
      {.name = "setDataBreakpoints", .states = states::not_fresh, .handle = replace_all<BreakpointKind::data>},
      {.name = "setExceptionBreakpoints",
       .states = states::not_fresh,
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const std::vector<std::string> filters = arguments.texts("filters");
         if (arguments.problem()) return *arguments.problem();
         adapter.run.stops_at_faults = std::ranges::find(filters, "faults") != filters.end();
         adapter.run.stops_at_end = std::ranges::find(filters, "end") != filters.end();
         adapter.run.catch_warnings(std::ranges::find(filters, "warnings") != filters.end());
         Json list = Json::array();
         for (const std::string& filter : filters) {
           list.push_back({{"verified", filter == "faults" || filter == "end" || filter == "warnings"}});
           if (!list.back()["verified"]) list.back()["message"] = "unknown filter `" + filter + "`";
         }
         return Json{{"breakpoints", std::move(list)}};
       }},
      // The watchable part of a variable, an expression or an address.
      {.name = "dataBreakpointInfo",
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const std::string name = arguments.needed_text("name");
         const u64 reference = arguments.count("variablesReference", 0);
         const u64 bytes = arguments.count("bytes", 4);
         const bool is_address = arguments.flag("asAddress", false);
         if (arguments.problem()) return *arguments.problem();
         debug::Session& session = adapter.session();
         const Result<u64> wave =
             reference != 0 ? wave_of_variables(adapter.debuggee(), reference) : read_frame(adapter, arguments);
         if (!wave) return wave.error();
         const SelectedWave selected(session, *wave);
         const auto nothing = [](const std::string& why) { return Json{{"dataId", nullptr}, {"description", why}}; };
         std::string expression = name;
         if (is_address) {
           expression = fmt::format("[{}:{}]", name, bytes);
         } else if (reference != 0) {
           const Result<Variable> variable = find_variable(adapter.debuggee(), reference, name);
           if (!variable) return variable.error();
           if (variable->expression.empty()) return nothing("`" + name + "` is not a register or memory");
           expression = variable->expression;
         }
         Result<expr::Expression> parsed = session.parse(expression);
         if (!parsed) return nothing(parsed.error().message);
         if (!is_address && arguments.has("bytes") && parsed->is_memory()) {
           // A number of bytes from its address; a register has its own size.
           const u64 address = parsed->memory_address(session.machine());
           expression = fmt::format("[{}:{}]", support::hex(address), bytes);
           parsed = session.parse(expression);
           if (!parsed) return nothing(parsed.error().message);
         }
         return describe_watch(session, expression);
       }},
      {.name = "breakpointLocations",
       .states = states::with_program,
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         Arguments source = arguments.object("source");
         const u64 first = arguments.needed_count("line");
         const u64 last = arguments.count("endLine", first);
         if (arguments.problem()) return *arguments.problem();
         const Sources& sources = adapter.debuggee().sources;
         const Result<Sources::Id> id = sources.find(source);
         if (!id) return id.error();
         const ClientTraits& client = adapter.client;
         Json list = Json::array();
         for (const Sources::Line& line : sources.lines(*id, client.line_from(first), client.line_from(last)))
           list.push_back({{"line", client.line_to(line.line)}});
         return Json{{"breakpoints", std::move(list)}};
       }},
  });
  return requests;
}

}  // namespace salu::dap
