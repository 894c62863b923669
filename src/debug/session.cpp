#include "debug/session.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "debug/code_lines.hpp"
#include "expr/machine_registers.hpp"
#include "isa/mnemonic_pattern.hpp"
#include "isa/vector/decode.hpp"
#include "isa/vector/disassemble.hpp"
#include "observe/touches.hpp"
#include "observe/vector_accesses.hpp"
#include "support/glob.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::debug {
namespace {

/// A limit, because each may have an expression of up to 160 KB.
constexpr std::size_t most_breakpoints = 10'000;

Error usage(std::string message) { return Error{ErrorCode::usage, {}, std::move(message), {}}; }

}  // namespace

Session::Session(const Scenario& scenario, const HistoryOptions& options)
    : scenario_(scenario),
      run_(scenario, options),
      wave_(scenario.group != nullptr ? scenario.reported_wave() : run_.wave().number),
      limit_(scenario.options.max_steps),
      caught_kinds_(run_.checked_kinds()) {}

// ---- waves ----

std::optional<Error> Session::choose_wave(u64 number) {
  if (run_.look_at_wave(number) != nullptr) {
    select(number);
    return std::nullopt;
  }
  const u64 first = run_.waves().front()->number;
  const u64 last = run_.waves().back()->number;
  const std::string here = first == last ? fmt::format("wave {}", first) : fmt::format("waves {} to {}", first, last);
  return usage(fmt::format("no wave {} here: the work-group that runs has {}", number, here));
}

std::optional<Error> Session::start_at_wave(u64 number) {
  const u64 count = run_.launch().count;
  if (number >= count)
    return usage(
        count == 1
            ? fmt::format("no wave {}: only `kernel:` with `waves: all`, and `work_groups:`, have several", number)
            : fmt::format("no wave {}: the grid has 0 to {}", number, count - 1));
  run_.set_stops_at_turns(true);
  while (run_.look_at_wave(number) == nullptr && !run_.ended()) run_.advance(std::numeric_limits<u64>::max());
  run_.set_stops_at_turns(false);
  if (run_.look_at_wave(number) == nullptr)
    return usage(fmt::format("no wave {}: the run ends earlier with {}", number, run_.stop().reason_name()));
  select(number);
  return std::nullopt;
}

/// Selects the wave that an ended run is about.
void Session::select_at_end() {
  const bool is_irregular = !is_regular_end(run_.stop().reason);
  if (is_irregular || run_.look_at_wave(wave_) == nullptr) select(run_.wave().number);
}

/// Selects the wave that executes next if the selected one does not exist here.
void Session::select_existing() {
  if (run_.look_at_wave(wave_) == nullptr) select(run_.wave().number);
}

/// The same if the selected wave has ended, for moves of the selected wave.
void Session::select_running() {
  if (run_.has_ended(wave_)) select(run_.wave().number);
}

u64 Session::first_position() const { return run_.turns().first_of_waves_from(wave().group).value_or(0); }

std::vector<Mismatch> Session::failed_expectations() {
  return scenario_.expect ? check(*scenario_.expect, run_.outcome()) : std::vector<Mismatch>();
}

// ---- breakpoints and watchpoints ----

Breakpoint* Session::find_breakpoint(u32 id) {
  // The numbers are ascending.
  const auto found = std::ranges::lower_bound(breakpoints_, id, {}, &Breakpoint::id);
  return found == breakpoints_.end() || found->id != id ? nullptr : &*found;
}

bool Session::remove_breakpoint(u32 id) {
  return std::erase_if(breakpoints_, [id](const Breakpoint& each) { return each.id == id; }) != 0;
}

Result<u32> Session::add(Breakpoint breakpoint, std::string_view condition) {
  if (breakpoints_.size() >= most_breakpoints)
    return usage(fmt::format("the limit of {} breakpoints is reached: delete some", most_breakpoints));
  if (!condition.empty()) {
    Result<expr::Expression> parsed = parse(condition);
    if (!parsed) return std::move(parsed).error();
    breakpoint.condition = *std::move(parsed);
  }
  breakpoint.id = next_id_++;
  breakpoints_.push_back(std::move(breakpoint));
  return breakpoints_.back().id;
}

Result<u32> Session::break_at(std::string_view what, std::string_view condition, bool temporary) {
  const bool is_pattern = what.find_first_of("*?") != std::string_view::npos && !what.starts_with('*');
  const std::vector<std::string> vectors = isa::vector_mnemonics(program().generation());
  const bool is_name = what.starts_with("s_") || std::ranges::find(vectors, what) != vectors.end();
  const bool is_mnemonic = is_pattern || (is_name && program().find_symbol(what) == nullptr);
  Breakpoint breakpoint;
  breakpoint.what = std::string(what);
  breakpoint.temporary = temporary;
  if (is_mnemonic) {
    const std::vector<std::string_view> others(vectors.begin(), vectors.end());
    if (auto problem = isa::mnemonic_pattern_problem(what, program().generation(), others, "instruction"))
      return usage(*std::move(problem));
    breakpoint.kind = Breakpoint::Kind::mnemonic;
  } else {
    Result<std::vector<u64>> addresses = find_place(what);
    if (!addresses) return std::move(addresses).error();
    breakpoint.addresses = *std::move(addresses);
  }
  return add(std::move(breakpoint), condition);
}

Result<u32> Session::break_at(std::vector<u64> addresses, std::string what) {
  Breakpoint breakpoint;
  breakpoint.what = std::move(what);
  breakpoint.addresses = std::move(addresses);
  return add(std::move(breakpoint), {});
}

Result<u32> Session::watch(std::string_view expression, WatchKind kind, std::string_view condition) {
  Result<expr::Expression> parsed = parse(expression);
  if (!parsed) return std::move(parsed).error();
  if (parsed->registers().empty() && !parsed->reads_memory())
    return usage(support::quote(expression) + " never changes: it does not depend on registers or memory");
  const bool is_place = parsed->is_register() || parsed->is_memory();
  if (kind != WatchKind::change && (!is_place || dependencies(*parsed, machine()).everything))
    return usage(support::quote(expression) + " is not a register or memory, which instructions read");
  Breakpoint breakpoint;
  breakpoint.kind = Breakpoint::Kind::watch;
  breakpoint.what = parsed->text();
  breakpoint.watched = kind == WatchKind::change ? *std::move(parsed) : fixed(*parsed);
  breakpoint.watch = kind;
  if (has_several_waves() && !breakpoint.watched->registers().empty()) breakpoint.wave = wave_;
  return add(std::move(breakpoint), condition);
}

Result<u32> Session::set_condition(u32 id, std::string_view condition) {
  Breakpoint* const breakpoint = find_breakpoint(id);
  if (breakpoint == nullptr) return usage(fmt::format("no breakpoint {}", id));
  if (condition.empty()) {
    breakpoint->condition.reset();
    return id;
  }
  Result<expr::Expression> parsed = parse(condition);
  if (!parsed) return std::move(parsed).error();
  breakpoint->condition = *std::move(parsed);
  return id;
}

Session::Dependencies Session::dependencies(const expr::Expression& expression, const core::Machine& machine) const {
  Dependencies result;
  for (const RegisterName& name : expression.registers()) {
    // Every instruction writes the PC.
    if (name.is_pc())
      result.everything = true;
    else
      result.places.push_back(name.location());
    if (name.index != state_index::status) continue;
    // Some bits of STATUS mirror these registers.
    result.places.push_back(Location{state_index::scc});
    for (const u32 pair : {u32{state_index::exec}, u32{state_index::vcc}}) result.places.push_back(Location{pair, 2});
  }
  if (expression.is_memory()) {
    const u64 address = expression.memory_address(machine);
    const u64 first = address & ~u64{3};
    const u64 end = address + expression.memory_bytes();
    result.places.push_back(Location::in_memory(first, static_cast<u32>((end - first + 3) / 4)));
  } else if (expression.reads_memory()) {
    result.places.push_back(Location::in_memory(0));
  }
  return result;
}

expr::Expression Session::fixed(const expr::Expression& place) const {
  if (!place.is_memory()) return place;
  const std::string address = support::hex(place.memory_address(machine()));
  return *parse(fmt::format("[{}:{}]", address, place.memory_bytes()));
}

bool Session::may_touch(u64 address, const Dependencies& on, bool reads) const {
  const core::Machine& machine = run_.machine();
  const auto instruction = machine.code().instruction_at(address);
  if (!instruction) return false;
  return on.everything || std::ranges::any_of(on.places, [&](const Location& place) {
           return observe::may_write(machine.generation(), *instruction, place) ||
                  (reads && observe::may_read(machine, *instruction, place));
         });
}

/// The machine on which a watchpoint is evaluated; null if the next instruction cannot affect it.
const core::Machine* Session::machine_for(const Breakpoint& watchpoint) const {
  if (!watchpoint.wave || *watchpoint.wave == run_.wave().number) return &run_.machine();
  if (!watchpoint.watched->reads_memory()) return nullptr;
  const RunHistory::Wave* const wave = run_.look_at_wave(*watchpoint.wave);
  return wave == nullptr ? nullptr : &wave->machine;
}

// ---- breakpoints and watchpoints on the way ----

std::function<bool(u64)> Session::make_filter(const Goal& goal) const {
  struct Watched {
    Dependencies on;
    bool reads;
  };
  std::vector<Watched> watched;
  std::vector<const Breakpoint*> places;
  for (const Breakpoint& each : breakpoints_) {
    if (!each.enabled) continue;
    if (each.watched) {
      const RunHistory::Wave* const wave = run_.look_at_wave(each.wave.value_or(wave_));
      watched.push_back(
          {dependencies(*each.watched, wave != nullptr ? wave->machine : machine()), each.watch != WatchKind::change});
    } else {
      places.push_back(&each);
    }
  }
  return [this, picks = goal.picks, watched = std::move(watched), places = std::move(places)](u64 address) {
    if (picks && picks(address)) return true;
    return std::ranges::any_of(places, [&](const Breakpoint* each) { return is_picked_by(*each, address); }) ||
           std::ranges::any_of(watched, [&](const Watched& each) { return may_touch(address, each.on, each.reads); });
  };
}

bool Session::is_picked_by(const Breakpoint& breakpoint, u64 address) const {
  if (breakpoint.kind == Breakpoint::Kind::address) return std::ranges::binary_search(breakpoint.addresses, address);
  if (breakpoint.kind == Breakpoint::Kind::watch) return false;
  const core::Machine& machine = run_.machine();
  const auto instruction = machine.code().instruction_at(address);
  if (!instruction) return false;
  if (instruction->encoding == isa::EncodingClass::scalar)
    return support::fits_pattern(isa::info(instruction->insn).mnemonic, breakpoint.what);
  const auto vector = isa::vector::decode(machine.generation(), machine.code().words_at(address));
  if (instruction->encoding != isa::EncodingClass::vector || !vector) return false;
  // Tries the mnemonic with the encoding suffix, as LLVM prints it, and without.
  const std::string text = isa::vector::disassemble(machine.generation(), *vector);
  return support::fits_pattern(isa::vector::info(vector->insn).name(machine.generation()), breakpoint.what) ||
         support::fits_pattern(std::string_view(text).substr(0, text.find(' ')), breakpoint.what);
}

std::vector<Session::BreakHit> Session::find_hits_here() const {
  std::vector<BreakHit> hits;
  if (run_.ended()) return hits;
  const RunHistory::Wave& wave = run_.wave();
  for (const Breakpoint& each : breakpoints_) {
    if (!each.enabled || each.watched || !is_picked_by(each, wave.machine.pc())) continue;
    if (each.wave && *each.wave != wave.number) continue;
    if (each.condition && !each.condition->evaluate(wave.machine).is_true()) continue;
    hits.push_back({each.id, each.log ? std::optional(each.log->fill_in(wave.machine)) : std::nullopt});
  }
  return hits;
}

std::vector<WatchHit> Session::step_and_watch() {
  std::vector<std::pair<const Breakpoint*, WatchHit>> candidates;
  const u64 executor = run_.wave().number;
  const u64 pc = run_.machine().pc();
  for (const Breakpoint& each : breakpoints_) {
    const core::Machine* const watched = each.enabled && each.watched ? machine_for(each) : nullptr;
    if (watched == nullptr) continue;
    WatchHit hit{each.id, each.watched->evaluate(*watched), {}, pc, executor, false, false};
    if (each.watch != WatchKind::change) {
      Dependencies on = dependencies(*each.watched, *watched);
      const bool is_own = !each.wave || *each.wave == executor;
      std::erase_if(on.places, [is_own](const Location& place) { return !is_own && !place.is_memory(); });
      const observe::Accesses accesses = observe::find_next_accesses(run_.machine());
      const auto touches = [&](const Location& place) {
        return std::ranges::any_of(on.places, [&](const Location& mine) { return overlap(mine, place); });
      };
      const auto has_lanes = [&](const observe::Accesses::Lanes& vector) {
        return std::ranges::any_of(
            on.places, [&](const Location& mine) { return observe::are_in(vector.number, vector.lanes, mine); });
      };
      hit.read = std::ranges::any_of(accesses.reads, touches) || std::ranges::any_of(accesses.vectors_read, has_lanes);
      hit.written =
          std::ranges::any_of(accesses.writes, touches) || std::ranges::any_of(accesses.vectors_written, has_lanes);
    }
    candidates.emplace_back(&each, hit);
  }
  // Evaluated before edits at the next position are applied, and before another wave begins its turn.
  const RunHistory::Wave* const wave = &run_.wave();
  run_.step({}, [&] {
    for (auto& [breakpoint, hit] : candidates) {
      const bool is_other = breakpoint->wave && *breakpoint->wave != executor;
      hit.after =
          breakpoint->watched->evaluate(is_other ? run_.look_at_wave(*breakpoint->wave)->machine : wave->machine);
      (void)run_.look_at_wave(executor);
    }
  });
  std::vector<WatchHit> hits;
  for (auto& [breakpoint, hit] : candidates) {
    const bool changed = hit.before.bits != hit.after.bits;
    const bool is_hit = breakpoint->watch == WatchKind::change ? changed
                        : breakpoint->watch == WatchKind::read ? hit.read
                                                               : hit.read || hit.written;
    if (!is_hit) continue;
    hit.written = hit.written || changed;
    const RunHistory::Wave* const asked = run_.look_at_wave(breakpoint->wave.value_or(executor));
    const core::Machine& now = asked != nullptr ? asked->machine : run_.machine();
    if (!breakpoint->condition || breakpoint->condition->evaluate(now).is_true()) hits.push_back(hit);
  }
  return hits;
}

bool Session::count_hits(const std::vector<BreakHit>& breakpoints, const std::vector<WatchHit>& watches, Pause& pause) {
  const auto counts = [this](u32 id) {
    Breakpoint& breakpoint = *find_breakpoint(id);
    ++breakpoint.hits;
    if (breakpoint.ignore == 0) return !breakpoint.hit_condition || breakpoint.hit_condition->holds(breakpoint.hits);
    --breakpoint.ignore;
    return false;
  };
  const auto add_commands = [&](u32 id) {
    const std::vector<std::string>& commands = find_breakpoint(id)->commands;
    pause.commands.insert(pause.commands.end(), commands.begin(), commands.end());
  };
  for (const WatchHit& hit : watches) {
    if (!counts(hit.id)) continue;
    pause.watches.push_back(hit);
    add_commands(hit.id);
    pause.reason = Pause::Reason::watchpoint;
  }
  for (const BreakHit& hit : breakpoints) {
    if (!counts(hit.id)) continue;
    if (hit.message) {
      if (log_) log_(*hit.message);
      continue;
    }
    pause.breakpoints.push_back(hit.id);
    add_commands(hit.id);
    pause.reason = Pause::Reason::breakpoint;
  }
  return !pause.breakpoints.empty() || !pause.watches.empty();
}

void Session::forget_temporary(const Pause& pause) {
  for (const u32 id : pause.breakpoints) {
    if (find_breakpoint(id)->temporary) remove_breakpoint(id);
  }
}

// ---- looking ----

Result<expr::Expression> Session::parse(std::string_view expression) const {
  return expr::Expression::parse(expression, program(), lane_, values_);
}

Result<expr::Value> Session::evaluate(std::string_view expression) const {
  const Result<expr::Expression> parsed = parse(expression);
  if (!parsed) return parsed.error();
  return parsed->evaluate(machine());
}

/// The code of the first line from `wanted` on that has code. Without a file: of the current file, or of exactly this
/// line in any file.
Result<std::vector<u64>> Session::find_line_code(const std::string& quoted, std::string_view file, u64 wanted) const {
  constexpr u32 last_line = std::numeric_limits<u32>::max();
  const u32 line = static_cast<u32>(std::min<u64>(wanted, last_line));
  const LineEntry* const here = program().find_line(address());
  if (file.empty() && here != nullptr) {
    std::vector<CodeLine> own = code_lines(program(), {&here->file, 1}, line, last_line);
    if (!own.empty()) return std::move(own.front().addresses);
  }
  std::vector<u64> addresses;
  bool knows_file = false;
  for (u32 i = 0; i < program().files.size(); ++i) {
    const std::string& name = program().files[i];
    if (!file.empty() && name != file && !name.ends_with("/" + std::string(file))) continue;
    knows_file = true;
    const std::vector<CodeLine> found = code_lines(program(), {&i, 1}, line, file.empty() ? line : last_line);
    if (!found.empty()) addresses.insert(addresses.end(), found[0].addresses.begin(), found[0].addresses.end());
  }
  std::ranges::sort(addresses);
  if (!addresses.empty()) return addresses;
  if (!knows_file) return usage(quoted + ": no code is from a file with this name");
  return usage(fmt::format("{}: no code at line {} or after it; an address starts with 0x", quoted, wanted));
}

Result<std::vector<u64>> Session::find_place(std::string_view place) const {
  const std::string quoted = support::quote(place);
  if (place.starts_with('*')) place.remove_prefix(1);
  const std::size_t colon = place.rfind(':');
  const std::optional<u64> line = colon == std::string_view::npos ? support::parse_unsigned(place)
                                                                  : support::parse_unsigned(place.substr(colon + 1));
  const bool is_line = line && !place.substr(colon == std::string_view::npos ? 0 : colon + 1).starts_with("0x");
  if (is_line) {
    const std::string_view file = colon == std::string_view::npos ? std::string_view() : place.substr(0, colon);
    return find_line_code(quoted, file, *line);
  }
  const Result<expr::Value> address = evaluate(place);
  if (!address) {
    Error error = address.error();
    error.message = quoted + " is not an address, label or source line: " + error.message;
    error.where.column = 0;
    error.source_line.clear();
    return error;
  }
  if (program().find_block(address->bits) == nullptr || address->bits % 4 != 0)
    return usage(quoted + ": no instruction at " + support::hex(address->bits));
  return std::vector<u64>{address->bits};
}

// ---- changing ----

Result<expr::Value> Session::set(std::string_view place, std::string_view value) {
  const Result<expr::Expression> target = parse(place);
  if (!target) return target.error();
  const Result<expr::Expression> source = parse(value);
  if (!source) return source.error();
  if (std::optional<std::string> problem = source->find_problem(machine())) return usage(*std::move(problem));
  const expr::Value wanted = source->evaluate(machine());
  if (run_.ended()) return usage("the program has ended: go back before you change something");
  if (wave_ended()) return usage(fmt::format("wave {} has ended: go back before you change something", wave_));
  const std::string quoted = support::quote(place);
  const u32 width = target->width();
  const bool is_negative = wanted.is_signed && static_cast<i64>(wanted.bits) < 0;
  const u64 all = width >= 64 ? ~u64{0} : (u64{1} << width) - 1;
  const u64 bits = wanted.bits & all;
  const bool fits = is_negative ? (~wanted.bits >> (width - 1)) == 0 : bits == wanted.bits;
  if (!fits)
    return usage(fmt::format("{} does not fit in the {} bits of {}", support::hex(wanted.bits), width, quoted));
  Edit edit;
  edit.wave = wave().number;
  if (target->is_register()) {
    const RegisterName& name = target->register_name();
    if (std::optional<std::string> problem = expr::find_write_problem(machine(), name, bits, quoted))
      return usage(*std::move(problem));
    edit.name = name;
    edit.value = bits;
  } else if (target->is_memory()) {
    edit.address = target->memory_address(machine());
    if (!machine().memory_now().is_mapped(edit.address, target->memory_bytes()))
      return usage("the memory at " + support::hex(edit.address) + " is not mapped");
    for (u32 i = 0; i < target->memory_bytes(); ++i) edit.bytes.push_back(static_cast<u8>(bits >> (8 * i)));
  } else {
    return usage(quoted + " is not a register or memory, and cannot be set");
  }
  run_.edit(std::move(edit));
  return expr::Value{bits, false};
}

}  // namespace salu::debug
