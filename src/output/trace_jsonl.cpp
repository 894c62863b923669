#include <algorithm>
#include <span>

#include "isa/operand.hpp"
#include "observe/location_names.hpp"
#include "output/formats.hpp"
#include "output/trace_formats.hpp"

namespace salu::output {
namespace {

class JsonlTrace : public TraceOutput {
 public:
  explicit JsonlTrace(support::TextBuffer& text) : text_(text) {}

  void begin(const Scenario& scenario) override {
    generation_ = scenario.program.generation();
    has_waves_ = scenario.waves != nullptr;
    text_.append(R"({"schema":"salu-trace-v1","name":)");
    append_quoted(text_, scenario.name);
    text_.append(R"(,"target":)");
    append_quoted(text_, scenario.program.target->name);
    add_address(R"(,"pc":)", scenario.initial.pc);
    text_.append("}\n");
  }

  u64 see(const TraceEvent& event, Shown shown) override {
    if (shown != Shown::all) return 0;
    text_.append(R"({"step":)");
    text_.append_number(event.step);
    if (has_waves_) {
      text_.append(R"(,"wave":)");
      text_.append_number(event.wave);
    }
    add_address(R"(,"pc":)", event.pc);
    add_dwords(R"(,"words":)", event.words);
    text_.append(R"(,"instruction":)");
    append_quoted(text_, instruction_text(event));
    add_values(event.read, R"(,"reads":{)", R"(,"loads":[)");
    add_vectors(event.vectors_read, R"(,"vectors_read":{)");
    add_values(event.written, R"(,"writes":{)", R"(,"stores":[)");
    add_vectors(event.vectors_written, R"(,"vectors_written":{)");
    if (const std::string note = note_text(event); !note.empty()) {
      text_.append(R"(,"note":)");
      append_quoted(text_, note);
    }
    add_address(R"(,"next_pc":)", event.next_pc);
    text_.append("}\n");
    return 1;
  }

  void end(const Outcome& outcome, const TraceCut& cut) override {
    text_.append(R"({"stop":{"reason":)");
    append_quoted(text_, outcome.stop.reason_name());
    add_address(R"(,"pc":)", outcome.stop.pc);
    text_.append(R"(,"instruction":)");
    append_quoted(text_, outcome.stop.instruction);
    text_.append(R"(,"detail":)");
    append_quoted(text_, outcome.stop.detail);
    text_.append(R"(},"steps":)");
    text_.append_number(outcome.steps);
    if (cut.is_cut()) {
      text_.append(R"(,"cut":{"step":)");
      text_.append_number(cut.step);
      text_.append(R"(,"instructions":)");
      text_.append_number(cut.instructions);
      text_.append(R"(,"message":)");
      append_quoted(text_, cut.to_string());
      text_.append('}');
    }
    text_.append("}\n");
  }

 private:
  void add_address(std::string_view key, u64 address) {
    text_.append(key);
    text_.append('"');
    text_.append_hex(address, address_digits);
    text_.append('"');
  }

  void add_dwords(std::string_view key, std::span<const u32> dwords) {
    text_.append(key);
    std::string_view separator = R"(["0x)";
    for (const u32 dword : dwords) {
      text_.append(separator);
      text_.append_digits(dword);
      separator = R"(","0x)";
    }
    text_.append(dwords.empty() ? "[]" : R"("])");
  }

  /// Registers as an object, each once, then memory as a list, if any.
  void add_values(std::span<const LocationValue> values, std::string_view registers, std::string_view memory) {
    text_.append(registers);
    bool is_first = true;
    std::size_t in_memory = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const LocationValue& value = values[i];
      if (value.location.is_memory()) {
        ++in_memory;
        continue;
      }
      const auto before = values.first(i);
      if (std::ranges::find(before, value.location, &LocationValue::location) != before.end()) continue;
      text_.append(is_first ? "\"" : ",\"");
      is_first = false;
      text_.append(names_.of(generation_, value.location));
      if (value.location.index == state_index::scc) {
        text_.append(value.dwords[0] != 0 ? "\":1" : "\":0");
        continue;
      }
      text_.append(R"(":"0x)");
      for (u32 dword = value.location.dwords; dword-- > 0;) text_.append_digits(value.dwords[dword]);
      text_.append('"');
    }
    text_.append('}');
    if (in_memory == 0) return;
    text_.append(memory);
    for (const LocationValue& value : values) {
      if (!value.location.is_memory()) continue;
      add_address(R"({"at":)", value.location.address);
      add_dwords(R"(,"words":)", value.values());
      text_.append(--in_memory == 0 ? "}" : "},");
    }
    text_.append(']');
  }

  /// All lanes of each register, null for untouched ones; omitted if empty.
  void add_vectors(std::span<const VectorValue> vectors, std::string_view key) {
    if (vectors.empty()) return;
    text_.append(key);
    for (const VectorValue& vector : vectors) {
      const auto before = vectors.first(static_cast<std::size_t>(&vector - vectors.data()));
      if (std::ranges::find(before, vector.number, &VectorValue::number) != before.end()) continue;
      text_.append(before.empty() ? "\"" : ",\"");
      text_.append(isa::vector_register_name(vector.location().index, state_index::lanes));
      text_.append("\":");
      for (u32 lane = 0; lane < state_index::lanes; ++lane) {
        text_.append(lane == 0 ? "[" : ",");
        if ((vector.lanes >> lane & 1) == 0) {
          text_.append("null");
          continue;
        }
        text_.append("\"0x");
        text_.append_digits(vector.values[lane]);
        text_.append('"');
      }
      text_.append(']');
    }
    text_.append('}');
  }

  support::TextBuffer& text_;
  observe::LocationNames names_;
  bool has_waves_ = false;
  Generation generation_{};
};

}  // namespace

void append_quoted(support::TextBuffer& text, std::string_view quoted) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (!std::ranges::all_of(quoted, is_plain)) {
    text.append(quote(std::string(quoted)));
    return;
  }
  text.append('"');
  text.append(quoted);
  text.append('"');
}

std::unique_ptr<TraceOutput> jsonl_trace(support::TextBuffer& text) { return std::make_unique<JsonlTrace>(text); }

}  // namespace salu::output
