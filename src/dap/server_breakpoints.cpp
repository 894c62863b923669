#include <algorithm>
#include <array>

#include "dap/server.hpp"
#include "dap/texts.hpp"
#include "dap/views.hpp"
#include "support/numbers.hpp"

// Requests that set breakpoints.
namespace salu::dap {
namespace {

struct Access {
  std::string_view name;
  debug::WatchKind kind;
};
constexpr std::array<Access, 3> accesses = {
    {{"write", debug::WatchKind::change}, {"read", debug::WatchKind::read}, {"readWrite", debug::WatchKind::access}}};

}  // namespace

u32 Server::line_from_client(u64 line) const {
  constexpr u64 greatest = 0xffff'fffe;
  return static_cast<u32>(std::min(line, greatest) + (lines_start_at_1_ ? 0 : 1));
}

void Server::adjust_lines(Json& json) const {
  if (lines_start_at_1_) return;
  const auto line = json.find("line");
  if (line != json.end()) *line = line->get<u64>() - 1;
}

Result<std::vector<BreakpointWish>> Server::read_wishes(Arguments& arguments, BreakpointKind kind) const {
  std::vector<BreakpointWish> wishes;
  for (Arguments& each : arguments.objects("breakpoints")) {
    BreakpointWish wish{.kind = kind};
    wish.condition = each.text("condition");
    wish.hit_condition = each.text("hitCondition");
    switch (kind) {
      case BreakpointKind::source:
        wish.line = line_from_client(each.needed_count("line"));
        wish.log_message = each.text("logMessage");
        break;
      case BreakpointKind::function:
        wish.what = each.needed_text("name");
        break;
      case BreakpointKind::instruction: {
        const std::string reference = each.needed_text("instructionReference");
        const i64 offset = each.integer("offset", 0);
        const auto address = support::parse_unsigned(reference);
        wish.what = address ? support::hex(*address + static_cast<u64>(offset)) : reference;
        break;
      }
      case BreakpointKind::data: {
        wish.what = each.needed_text("dataId");
        const std::string name = each.text("accessType", "write");
        const auto access = std::ranges::find(accesses, name, &Access::name);
        if (access == accesses.end()) {
          each.refuse("accessType", "\"read\", \"write\" or \"readWrite\"");
        } else {
          wish.watch = access->kind;
        }
        break;
      }
    }
    arguments.take_problem(each);
    wishes.push_back(std::move(wish));
  }
  if (arguments.problem()) return *arguments.problem();
  return wishes;
}

Result<Json> Server::set_breakpoints(Arguments& arguments) {
  Arguments source = arguments.object("source");
  const u64 reference = source.count("sourceReference", 0);
  const std::string path = source.text("path");
  arguments.take_problem(source);
  if (arguments.problem()) return *arguments.problem();
  if (path.empty() && reference == 0) return refusal("`source` needs a `path` or a `sourceReference`");
  if (reference != 0 && reference != static_cast<u64>(Sources::listing_reference))
    return refusal("there is no source with the reference " + std::to_string(reference));
  Result<std::vector<BreakpointWish>> wishes = read_wishes(arguments, BreakpointKind::source);
  if (!wishes) return wishes.error();
  const std::string file = reference == 0 ? Sources::one_name(path) : "";
  for (BreakpointWish& wish : *wishes) wish.path = file;
  Json list = breakpoints_.replace(BreakpointKind::source, file, *wishes);
  for (Json& each : list) adjust_lines(each);
  return Json{{"breakpoints", std::move(list)}};
}

/// All of a kind that has no files.
Result<Json> Server::replace_breakpoints(Arguments& arguments, BreakpointKind kind) {
  const Result<std::vector<BreakpointWish>> wishes = read_wishes(arguments, kind);
  if (!wishes) return wishes.error();
  Json list = breakpoints_.replace(kind, "", *wishes);
  for (Json& each : list) adjust_lines(each);
  return Json{{"breakpoints", std::move(list)}};
}

Result<Json> Server::set_function_breakpoints(Arguments& arguments) {
  return replace_breakpoints(arguments, BreakpointKind::function);
}

Result<Json> Server::set_instruction_breakpoints(Arguments& arguments) {
  return replace_breakpoints(arguments, BreakpointKind::instruction);
}

Result<Json> Server::set_data_breakpoints(Arguments& arguments) {
  return replace_breakpoints(arguments, BreakpointKind::data);
}

Result<Json> Server::set_exception_breakpoints(Arguments& arguments) {
  const std::vector<std::string> filters = arguments.texts("filters");
  if (arguments.problem()) return *arguments.problem();
  stops_at_faults_ = std::ranges::find(filters, "faults") != filters.end();
  stops_at_end_ = std::ranges::find(filters, "end") != filters.end();
  Json list = Json::array();
  for (const std::string& filter : filters) {
    list.push_back({{"verified", filter == "faults" || filter == "end"}});
    if (!list.back()["verified"]) list.back()["message"] = "there is no filter `" + filter + "`";
  }
  return Json{{"breakpoints", std::move(list)}};
}

/// What of a variable, an expression or an address can be watched.
Result<Json> Server::data_breakpoint_info(Arguments& arguments) {
  const std::string name = arguments.needed_text("name");
  const u64 reference = arguments.count("variablesReference", 0);
  const u64 bytes = arguments.count("bytes", 4);
  const bool is_address = arguments.flag("asAddress", false);
  if (arguments.problem()) return *arguments.problem();
  const auto nothing = [](const std::string& why) { return Json{{"dataId", nullptr}, {"description", why}}; };
  std::string expression = name;
  if (is_address) {
    expression = "[" + name + ":" + std::to_string(bytes) + "]";
  } else if (reference != 0) {
    const Result<Variable> variable = find_variable(*debuggee_, reference, name);
    if (!variable) return variable.error();
    if (variable->expression.empty()) return nothing("`" + name + "` is no register and no memory");
    expression = variable->expression;
  }
  Result<debug::Expression> parsed = debuggee_->session.parse(expression);
  if (!parsed) return nothing(parsed.error().message);
  if (!is_address && arguments.has("bytes") && parsed->is_memory()) {
    // So many bytes from where it lies; a register has its own.
    const u64 address = parsed->memory_address(debuggee_->session.machine());
    expression = "[" + support::hex(address) + ":" + std::to_string(bytes) + "]";
    parsed = debuggee_->session.parse(expression);
    if (!parsed) return nothing(parsed.error().message);
  }
  // Whether it can be watched is known to the session alone.
  Json allowed = Json::array();
  std::string problem;
  for (const Access& access : accesses) {
    const Result<u32> id = debuggee_->session.watch(expression, access.kind);
    if (id) {
      debuggee_->session.remove_breakpoint(*id);
      allowed.push_back(access.name);
    } else if (problem.empty()) {
      problem = id.error().message;
    }
  }
  if (allowed.empty()) return nothing(problem);
  return Json{
      {"dataId", expression}, {"description", expression}, {"accessTypes", std::move(allowed)}, {"canPersist", true}};
}

Result<Json> Server::breakpoint_locations(Arguments& arguments) {
  Arguments source = arguments.object("source");
  const u64 first = arguments.needed_count("line");
  const u64 last = arguments.count("endLine", first);
  if (arguments.problem()) return *arguments.problem();
  const Result<Sources::Id> id = debuggee_->sources.find(source);
  if (!id) return id.error();
  Json list = Json::array();
  for (const Sources::Line& line : debuggee_->sources.lines(*id, line_from_client(first), line_from_client(last)))
    list.push_back({{"line", line_to_client(line.line)}});
  return Json{{"breakpoints", std::move(list)}};
}

}  // namespace salu::dap
