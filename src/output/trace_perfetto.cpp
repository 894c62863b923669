#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/control_flow.hpp"
#include "isa/decode.hpp"
#include "observe/event_text.hpp"
#include "output/trace_formats.hpp"
#include "support/numbers.hpp"

// The trace event format of chrome://tracing, which ui.perfetto.dev reads: "Trace Event Format", Google. Instruction
// number n lasts from time n to n + 1; its effects appear from n + 1 on.
namespace salu::output {
namespace {

class PerfettoTrace : public TraceOutput {
 public:
  explicit PerfettoTrace(support::TextBuffer& text) : text_(text) { text_.append(R"({"traceEvents":[)"); }

  [[nodiscard]] bool needs_context() const override { return true; }

  void begin(const Scenario& scenario) override {
    program_ = &scenario.program;
    waves_ = scenario.waves.get();
    ++process_;
    tracks_.clear();
    told_of_depth_ = false;
    wave_ = &tracks_[0];
    name_track("process_name", scenario.name + " on " + std::string(scenario.program.target->name));
    begin_wave(0, waves_ == nullptr ? scenario.initial : waves_->wave(0).initial);
  }

  u64 see(const TraceEvent& event, Shown shown) override {
    const u64 before = records_;
    const auto known = tracks_.find(event.wave);
    if (known == tracks_.end())
      begin_wave(event.wave, waves_->wave(event.wave).initial);
    else
      wave_ = &known->second;
    const bool was_open = wave_->is_open;
    if (shown == Shown::nothing) {
      if (was_open) close();
      wave_->is_open = false;
    } else {
      last_step_ = event.step;
      if (!was_open) open(event.step);
      wave_->is_open = true;
    }
    if (shown == Shown::all) add_instruction(event);
    if (wave_->is_open && event.stack.kind != StackStep::Kind::none) add_stack_note(event);
    const u32 csp_before = wave_->csp;
    follow_registers(event);
    follow_sides(event, csp_before);
    follow_jump(event);
    return records_ - before;
  }

  void end(const Outcome& outcome, const TraceCut& cut) override {
    const bool is_any_open = std::ranges::any_of(tracks_, [](const auto& track) { return track.second.is_open; });
    if (!is_any_open) return;
    begin_event("i", last_step_ + 1, cut.is_cut() ? "trace cut" : outcome.stop.reason_name());
    text_.append(R"(,"s":"p","args":{"detail":)");
    append_quoted(text_, cut.is_cut() ? cut.to_string() : outcome.stop.detail);
    text_.append("}}");
    for (auto& [number, track] : tracks_) {
      wave_ = &track;
      if (track.is_open) close();
    }
  }

  void finish() override { text_.append("\n]}\n"); }

 private:
  static constexpr u64 no_address = ~u64{0};
  static constexpr u64 trap_return = no_address - 1;  ///< a trap handler returns by S_RFE, to any address
  /// Viewers refuse deeper nesting.
  static constexpr std::size_t most_depth = 500;

  struct OpenCall {
    u64 function = 0;
    u64 return_address = 0;
  };
  /// One side of a fork, up to its join.
  struct Side {
    u32 entry = 0;     ///< of the control stack, in which the other side waits or waited
    std::string name;  ///< with its lanes and its start
  };
  enum class Track : u8 { wave = 1, sides = 2 };
  /// The tracks of a wave.
  struct WaveTrack {
    u64 number = 0;
    u64 exec = 0;
    u32 csp = 0;
    std::vector<OpenCall> calls;                   ///< outermost first; never empty
    std::unordered_map<u64, std::size_t> returns;  ///< the number of calls that return to an address
    std::vector<Side> sides;                       ///< outermost first
    bool has_sides = false;                        ///< their track has been named
    bool is_open = false;                          ///< within the steps shown
  };

  /// Adds a wave and makes it the current one.
  void begin_wave(u64 number, const WaveState& initial) {
    wave_ = &tracks_[number];
    wave_->number = number;
    wave_->exec = initial.exec();
    wave_->csp = initial.csp();
    push({initial.pc, no_address});
    name_track("thread_name", has_several_waves() ? fmt::format("wave {}", number) : "wave");
  }
  [[nodiscard]] bool has_several_waves() const { return waves_ != nullptr && waves_->count > 1; }

  /// `{"ph":"B","pid":1,"tid":1,"ts":7,"name":"f"`
  void begin_event(std::string_view phase, u64 time, std::string_view name, Track track = Track::wave) {
    text_.append(records_ == 0 ? R"(
{"ph":")"
                               : R"(,
{"ph":")");
    ++records_;
    text_.append(phase);
    text_.append(R"(","pid":)");
    text_.append_number(process_);
    text_.append(R"(,"tid":)");
    text_.append_number(2 * wave_->number + static_cast<u64>(track));
    text_.append(R"(,"ts":)");
    text_.append_number(time);
    text_.append(R"(,"name":)");
    append_quoted(text_, name);
  }

  void name_track(std::string_view kind, const std::string& name, Track track = Track::wave) {
    begin_event("M", 0, kind, track);
    text_.append(R"(,"args":{"name":)");
    append_quoted(text_, name);
    text_.append("}}");
  }

  void add_counter(const std::string& name, u64 time, u64 value) {
    begin_event("C", time, has_several_waves() ? fmt::format("{}, wave {}", name, wave_->number) : name);
    text_.append(R"(,"args":{"value":)");
    text_.append_number(value);
    text_.append("}}");
  }
  void add_csp(u64 time) { add_counter("control stack depth (CSP)", time, wave_->csp); }
  void add_lanes(u64 time) { add_counter("active lanes", time, static_cast<u64>(std::popcount(wave_->exec))); }

  /// Opens the calls and sides that began before the first step shown.
  void open(u64 time) {
    add_csp(time);
    add_lanes(time);
    for (std::size_t i = 0; i < wave_->calls.size(); ++i) begin_slice(i, time);
    for (const Side& side : wave_->sides) draw_side("B", side, time);
  }
  void close() {
    for (std::size_t i = wave_->sides.size(); i-- > 0;) draw_side("E", wave_->sides[i], last_step_ + 1);
    for (std::size_t i = wave_->calls.size(); i-- > 0;) end_slice(i, last_step_ + 1);
  }

  void begin_slice(std::size_t depth, u64 time) {
    if (depth >= most_depth) {
      if (told_of_depth_) return;
      told_of_depth_ = true;
      begin_event("i", time, fmt::format("calls nested deeper than {} are not drawn", most_depth));
      text_.append(R"(,"s":"p"})");
      return;
    }
    const OpenCall& open = wave_->calls[depth];
    std::string name = program_->describe_address(open.function);
    if (name.empty()) name = support::hex(open.function);
    begin_event("B", time, open.return_address == trap_return ? "trap: " + name : name);
    text_.append(R"(,"args":{"pc":")");
    text_.append_hex(open.function);
    text_.append("\"}}");
  }
  void end_slice(std::size_t depth, u64 time) {
    if (depth >= most_depth) return;
    const OpenCall& open = wave_->calls[depth];
    std::string name = program_->describe_address(open.function);
    if (name.empty()) name = support::hex(open.function);
    begin_event("E", time, open.return_address == trap_return ? "trap: " + name : name);
    text_.append('}');
  }

  void add_instruction(const TraceEvent& event) {
    begin_event("X", event.step, mnemonic_of(event));
    text_.append(R"(,"dur":1,"args":{"pc":")");
    text_.append_hex(event.pc);
    text_.append(R"(","text":)");
    append_quoted(text_, instruction_text(event));
    text_.append(R"(,"reads":)");
    append_quoted(text_, reads_text(event));
    text_.append(R"(,"writes":)");
    append_quoted(text_, writes_text(event));
    text_.append("}}");
  }

  void add_stack_note(const TraceEvent& event) {
    begin_event("i", event.step, event.stack.is_fork() ? "fork" : "join");
    text_.append(R"(,"s":"t","args":{"pc":")");
    text_.append_hex(event.pc);
    text_.append(R"(","note":)");
    const std::string warnings = observe::warnings_text(event.warnings);
    append_quoted(text_, observe::stack_text(event.stack) + (warnings.empty() ? "" : "; " + warnings));
    text_.append("}}");
  }

  void follow_registers(const TraceEvent& event) {
    const u64 exec = wave_->exec;
    const u32 csp = wave_->csp;
    for (const LocationValue& written : event.written) {
      const Location& location = written.location;
      const auto dword = [&](u32 index) { return written.dwords[index - location.index]; };
      if (location.holds(state_index::mode))
        wave_->csp = mode_layout(event.generation).csp.of(dword(state_index::mode));
      for (u32 half = 0; half < 2; ++half) {
        const u32 shift = 32 * half;
        if (location.holds(state_index::exec + half))
          wave_->exec = (wave_->exec & ~(u64{0xffffffff} << shift)) | u64{dword(state_index::exec + half)} << shift;
      }
    }
    if (!wave_->is_open) return;
    if (wave_->csp != csp) add_csp(event.step + 1);
    if (std::popcount(wave_->exec) != std::popcount(exec)) add_lanes(event.step + 1);
  }

  /// The start or end of a side, on a track that only programs with forks have.
  void draw_side(std::string_view phase, const Side& side, u64 time) {
    if (!std::exchange(wave_->has_sides, true))
      name_track("thread_name",
                 has_several_waves() ? fmt::format("sides of forks, wave {}", wave_->number) : "sides of forks",
                 Track::sides);
    begin_event(phase, time, side.name, Track::sides);
    text_.append('}');
  }
  void begin_side(const TraceEvent& event, u32 entry) {
    std::string place = program_->describe_address(event.next_pc);
    if (place.empty()) place = support::hex(event.next_pc);
    const auto lanes = static_cast<u64>(std::popcount(event.stack.exec_after));
    wave_->sides.push_back({entry, fmt::format("{} at {}", support::counted(lanes, "lane"), place)});
    if (wave_->is_open) draw_side("B", wave_->sides.back(), event.step + 1);
  }
  /// Ends the side of an entry and all within it.
  void end_sides(u32 entry, u64 time) {
    for (; !wave_->sides.empty() && wave_->sides.back().entry >= entry; wave_->sides.pop_back()) {
      if (wave_->is_open) draw_side("E", wave_->sides.back(), time);
    }
  }

  /// One side lasts from a fork to its first join, the other from there to the second join. A program that decreases
  /// CSP itself ends the sides above it.
  void follow_sides(const TraceEvent& event, u32 csp_before) {
    const StackStep& step = event.stack;
    switch (step.kind) {
      case StackStep::Kind::push:
        end_sides(step.entry(), event.step + 1);
        return begin_side(event, step.entry());
      case StackStep::Kind::pop:
        end_sides(step.entry(), event.step + 1);
        return begin_side(event, step.entry());
      case StackStep::Kind::go_on:
        return end_sides(step.csp_after, event.step + 1);
      default:
        if (wave_->csp != csp_before) end_sides(wave_->csp, event.step + 1);
        return;
    }
  }

  void follow_jump(const TraceEvent& event) {
    const u64 next = event.pc + event.words.size() * 4;
    // A fault does not jump.
    if (event.next_pc == next || (event.next_pc == event.pc && event.written.empty())) return;
    const u64 time = event.step + 1;
    switch (isa::flow_of(isa::decode(event.generation, event.words))) {
      case isa::Flow::call:
        return call({event.next_pc, next}, time);
      case isa::Flow::trap:
        return call({event.next_pc, trap_return}, time);
      case isa::Flow::return_from_trap:
        (void)return_to(trap_return, time);
        return;
      case isa::Flow::jump:
        if (!return_to(event.next_pc, time) && is_function(event.next_pc)) {
          // This is a tail call.
          const u64 return_address = wave_->calls.back().return_address;
          pop(time);
          call({event.next_pc, return_address}, time);
        }
        return;
      default:
        return;
    }
  }

  void push(const OpenCall& open) {
    wave_->calls.push_back(open);
    if (open.return_address != no_address) ++wave_->returns[open.return_address];
  }
  void call(const OpenCall& open, u64 time) {
    push(open);
    if (wave_->is_open) begin_slice(wave_->calls.size() - 1, time);
  }
  void pop(u64 time) {
    if (wave_->is_open) end_slice(wave_->calls.size() - 1, time);
    const auto found = wave_->returns.find(wave_->calls.back().return_address);
    if (found != wave_->returns.end() && --found->second == 0) wave_->returns.erase(found);
    wave_->calls.pop_back();
  }
  /// Ends the innermost call that returns to an address, and all within it. Returns false if no call does.
  bool return_to(u64 address, u64 time) {
    if (!wave_->returns.contains(address)) return false;
    while (wave_->calls.back().return_address != address) pop(time);
    pop(time);
    return true;
  }

  /// True if a function of an object starts there. Labels do not count.
  [[nodiscard]] bool is_function(u64 address) const {
    const auto range = std::ranges::equal_range(program_->symbols, address, {}, &Symbol::address);
    return std::ranges::any_of(range, [](const Symbol& symbol) { return symbol.size_bytes != 0; });
  }

  support::TextBuffer& text_;
  const Program* program_ = nullptr;
  const DispatchedWaves* waves_ = nullptr;  ///< null for one wave
  u64 records_ = 0;
  u64 process_ = 0;  ///< the run, counted from 1
  std::map<u64, WaveTrack> tracks_;
  WaveTrack* wave_ = nullptr;  ///< the wave of the current instruction
  bool told_of_depth_ = false;
  u64 last_step_ = 0;  ///< the last step shown
};

}  // namespace

std::unique_ptr<TraceOutput> perfetto_trace(support::TextBuffer& text) { return std::make_unique<PerfettoTrace>(text); }

}  // namespace salu::output
