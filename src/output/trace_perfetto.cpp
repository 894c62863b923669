#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>
#include <vector>

#include "output/trace_formats.hpp"
#include "support/numbers.hpp"

// The trace event format that chrome://tracing brought into use and ui.perfetto.dev reads: "Trace Event Format",
// Google. Instruction number n lasts from time n to n + 1; what it changes is seen from n + 1 on.
namespace salu::output {
namespace {

class PerfettoTrace : public TraceOutput {
 public:
  explicit PerfettoTrace(support::TextBuffer& text) : text_(text) { text_.append(R"({"traceEvents":[)"); }

  [[nodiscard]] bool needs_context() const override { return true; }

  void begin(const Scenario& scenario) override {
    program_ = &scenario.program;
    ++process_;
    exec_ = scenario.initial.exec();
    csp_ = scenario.initial.csp();
    frames_.clear();
    returns_.clear();
    is_open_ = false;
    told_of_depth_ = false;
    push({scenario.initial.pc, no_address});
    name_track("process_name", scenario.name + " on " + std::string(scenario.program.target->name));
    name_track("thread_name", "wave");
  }

  u64 see(const TraceEvent& event, Shown shown) override {
    const u64 before = records_;
    const bool was_open = is_open_;
    if (shown == Shown::nothing) {
      if (was_open) close();
      is_open_ = false;
    } else {
      last_step_ = event.step;
      if (!was_open) open(event.step);
      is_open_ = true;
    }
    if (shown == Shown::all) add_instruction(event);
    if (is_open_ && (event.note.starts_with("fork: ") || event.note.starts_with("join: "))) add_stack_note(event);
    follow_registers(event);
    if (event.next_pc != event.pc + event.words.size() * 4) follow_jump(event);
    return records_ - before;
  }

  void end(const Outcome& outcome, const TraceCut& cut) override {
    if (!is_open_) return;
    begin_event("i", last_step_ + 1, cut.is_cut() ? "trace cut" : outcome.stop.reason_name());
    text_.append(R"(,"s":"p","args":{"detail":)");
    append_quoted(text_, cut.is_cut() ? cut.to_string() : outcome.stop.detail);
    text_.append("}}");
    close();
  }

  void finish() override { text_.append("\n]}\n"); }

 private:
  static constexpr u64 no_address = ~u64{0};
  static constexpr u64 trap_return = no_address - 1;  ///< a trap handler goes back by S_RFE, wherever that is
  /// Viewers refuse deeper ones.
  static constexpr std::size_t most_depth = 500;

  struct Frame {
    u64 function = 0;
    u64 return_address = 0;
  };

  /// `{"ph":"B","pid":1,"tid":1,"ts":7,"name":"f"`
  void begin_event(std::string_view phase, u64 time, std::string_view name) {
    text_.append(records_ == 0 ? R"(
{"ph":")"
                               : R"(,
{"ph":")");
    ++records_;
    text_.append(phase);
    text_.append(R"(","pid":)");
    text_.append_number(process_);
    text_.append(R"(,"tid":1,"ts":)");
    text_.append_number(time);
    text_.append(R"(,"name":)");
    append_quoted(text_, name);
  }

  void name_track(std::string_view kind, const std::string& name) {
    begin_event("M", 0, kind);
    text_.append(R"(,"args":{"name":)");
    append_quoted(text_, name);
    text_.append("}}");
  }

  void add_counter(std::string_view name, u64 time, u64 value) {
    begin_event("C", time, name);
    text_.append(R"(,"args":{"value":)");
    text_.append_number(value);
    text_.append("}}");
  }
  void add_csp(u64 time) { add_counter("control stack depth (CSP)", time, csp_); }
  void add_lanes(u64 time) { add_counter("active lanes", time, static_cast<u64>(std::popcount(exec_))); }

  /// Everything that has begun before the first step that is shown.
  void open(u64 time) {
    add_csp(time);
    add_lanes(time);
    for (std::size_t i = 0; i < frames_.size(); ++i) begin_slice(i, time);
  }
  void close() {
    for (std::size_t i = frames_.size(); i-- > 0;) end_slice(i, last_step_ + 1);
  }

  void begin_slice(std::size_t depth, u64 time) {
    if (depth >= most_depth) {
      if (told_of_depth_) return;
      told_of_depth_ = true;
      begin_event("i", time, "calls that are nested deeper than " + std::to_string(most_depth) + " are not drawn");
      text_.append(R"(,"s":"p"})");
      return;
    }
    const Frame& frame = frames_[depth];
    std::string name = program_->describe_address(frame.function);
    if (name.empty()) name = support::hex(frame.function);
    begin_event("B", time, frame.return_address == trap_return ? "trap: " + name : name);
    text_.append(R"(,"args":{"pc":")");
    text_.append_hex(frame.function);
    text_.append("\"}}");
  }
  void end_slice(std::size_t depth, u64 time) {
    if (depth >= most_depth) return;
    const Frame& frame = frames_[depth];
    std::string name = program_->describe_address(frame.function);
    if (name.empty()) name = support::hex(frame.function);
    begin_event("E", time, frame.return_address == trap_return ? "trap: " + name : name);
    text_.append('}');
  }

  void add_instruction(const TraceEvent& event) {
    begin_event("X", event.step, mnemonic_of(event));
    text_.append(R"(,"dur":1,"args":{"pc":")");
    text_.append_hex(event.pc);
    text_.append(R"(","text":)");
    append_quoted(text_, event.instruction);
    text_.append(R"(,"reads":)");
    append_quoted(text_, event.reads);
    text_.append(R"(,"writes":)");
    append_quoted(text_, event.writes);
    text_.append("}}");
  }

  void add_stack_note(const TraceEvent& event) {
    begin_event("i", event.step, event.note.substr(0, 4));
    text_.append(R"(,"s":"t","args":{"pc":")");
    text_.append_hex(event.pc);
    text_.append(R"(","note":)");
    append_quoted(text_, event.note.substr(6));
    text_.append("}}");
  }

  void follow_registers(const TraceEvent& event) {
    const u64 exec = exec_;
    const u32 csp = csp_;
    for (const LocationValue& written : event.written) {
      const Location& location = written.location;
      if (location.kind == Location::Kind::mode) csp_ = written.dwords[0] >> mode_bit::csp;
      if (location.kind != Location::Kind::registers) continue;
      for (u32 half = 0; half < 2; ++half) {
        const u32 code = code::exec + half;
        if (code < location.first || code >= u32{location.first} + location.dwords) continue;
        const u32 shift = 32 * half;
        exec_ = (exec_ & ~(u64{0xffffffff} << shift)) | u64{written.dwords[code - location.first]} << shift;
      }
    }
    if (!is_open_) return;
    if (csp_ != csp) add_csp(event.step + 1);
    if (std::popcount(exec_) != std::popcount(exec)) add_lanes(event.step + 1);
  }

  void follow_jump(const TraceEvent& event) {
    // A fault goes nowhere.
    if (event.next_pc == event.pc && event.written.empty()) return;
    const std::string_view mnemonic = mnemonic_of(event);
    const u64 time = event.step + 1;
    if (mnemonic == "s_swappc_b64" || mnemonic == "s_call_b64") {
      call({event.next_pc, event.pc + event.words.size() * 4}, time);
    } else if (mnemonic == "s_trap") {
      call({event.next_pc, trap_return}, time);
    } else if (mnemonic.starts_with("s_rfe_")) {
      return_to(trap_return, time);
    } else if (mnemonic == "s_setpc_b64" && !return_to(event.next_pc, time) && is_function(event.next_pc)) {
      // A tail call.
      const u64 return_address = frames_.back().return_address;
      pop(time);
      call({event.next_pc, return_address}, time);
    }
  }

  void push(const Frame& frame) {
    frames_.push_back(frame);
    if (frame.return_address != no_address) ++returns_[frame.return_address];
  }
  void call(const Frame& frame, u64 time) {
    push(frame);
    if (is_open_) begin_slice(frames_.size() - 1, time);
  }
  void pop(u64 time) {
    if (is_open_) end_slice(frames_.size() - 1, time);
    const auto found = returns_.find(frames_.back().return_address);
    if (found != returns_.end() && --found->second == 0) returns_.erase(found);
    frames_.pop_back();
  }
  /// Ends the innermost call that goes back to an address, and all within it. False when there is none.
  bool return_to(u64 address, u64 time) {
    if (!returns_.contains(address)) return false;
    while (frames_.back().return_address != address) pop(time);
    pop(time);
    return true;
  }

  /// Whether a function of an object begins there; labels are everywhere.
  [[nodiscard]] bool is_function(u64 address) const {
    const auto range = std::ranges::equal_range(program_->symbols, address, {}, &Symbol::address);
    return std::ranges::any_of(range, [](const Symbol& symbol) { return symbol.size_bytes != 0; });
  }

  support::TextBuffer& text_;
  const Program* program_ = nullptr;
  u64 records_ = 0;
  u64 process_ = 0;  ///< the run, counted from 1
  u64 exec_ = 0;
  u32 csp_ = 0;
  std::vector<Frame> frames_;                     ///< outermost first; never empty
  std::unordered_map<u64, std::size_t> returns_;  ///< how many of them go back to an address
  bool is_open_ = false;                          ///< the steps that are shown have begun and are not over
  bool told_of_depth_ = false;
  u64 last_step_ = 0;  ///< that was shown
};

}  // namespace

std::unique_ptr<TraceOutput> perfetto_trace(support::TextBuffer& text) { return std::make_unique<PerfettoTrace>(text); }

}  // namespace salu::output
