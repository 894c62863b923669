#include <salu/suite.hpp>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "loader/cases.hpp"
#include "loader/registers.hpp"
#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "suite/scenario_runner.hpp"
#include "suite/selection.hpp"
#include "suite/text_edits.hpp"

namespace salu {
namespace {

using loader::Document;
using loader::Node;
using suite::TextEdits;
using suite::write_like;

const Node* find_key(const Node& map, std::string_view key) {
  for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
    if (map.children[i]->text == key) return map.children[i + 1];
  }
  return nullptr;
}

/// Rewrites the expectations of the documents of one file.
class Updater {
 public:
  explicit Updater(const SuiteOptions& options) : options_(options) {}

  void update(const Document& document, const Scenario& scenario) {
    document_ = &document;
    scenario_ = &scenario;
    if (scenario.cases != nullptr) {
      update_table();
    } else if (scenario.expect) {
      const Outcome outcome =
          run(scenario.program, scenario.initial, scenario.memory, suite::run_options(scenario, options_));
      if (!check(*scenario.expect, outcome).empty()) update_block(outcome);
    }
  }

  Update finish() { return {edits_.apply(), std::move(left_)}; }

 private:
  void leave(const Document& document, const Node& node, const std::string& why) {
    left_.push_back(document.source->file + ":" + std::to_string(node.line) + ": " + why);
  }

  void edit(const Document& document, const Node& node, const std::string& text, const std::string& what) {
    if (stands_elsewhere(node)) return leave(document, node, what + " is not rewritten: an alias shares it: " + text);
    if (!edits_.replace(document, node, text)) leave(document, node, what + " is written in a way that stays: " + text);
  }

  /// Whether an alias makes a value that is expected an input, too.
  [[nodiscard]] bool stands_elsewhere(const Node& node) const {
    const std::vector<const Node*>& pairs = document_->root->children;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      const bool is_expected = pairs[i]->text == "expect" || pairs[i]->text == "cases";
      if (!is_expected && holds_node(*pairs[i + 1], node)) return true;
    }
    return false;
  }
  static bool holds_node(const Node& tree, const Node& node) {
    return &tree == &node ||
           std::ranges::any_of(tree.children, [&](const Node* child) { return holds_node(*child, node); });
  }

  // ---- `expect:` ----

  void update_block(const Outcome& outcome) {
    const Node& block = *find_key(*document_->root, "expect");
    const Expectation& expect = *scenario_->expect;
    const auto holds = [&](auto keep) {
      Expectation part;
      part.stop = outcome.stop.reason;
      part.stop_warning = outcome.stop.warning;
      keep(part);
      return check(part, outcome).empty();
    };
    const bool stop_holds = holds([&](Expectation& part) {
      part.stop = expect.stop;
      part.stop_warning = expect.stop_warning;
    });
    if (!stop_holds) {
      const Node* stop = find_key(block, "stop");
      const std::string reason(outcome.stop.reason_name());
      if (stop == nullptr) {
        // What such a run left is nothing to expect.
        leave(*document_, block, "the run does not end regularly; say `stop: " + reason + "` if it is meant to");
        return;
      }
      edit(*document_, *stop, reason, "`stop:`");
    }
    if (expect.max_steps && outcome.steps > *expect.max_steps)
      edit(*document_, *find_key(block, "max_steps"), std::to_string(outcome.steps), "`max_steps:`");
    if (!holds([&](Expectation& part) { part.warnings = expect.warnings; }))
      leave(*document_, *find_key(block, "warnings"), "`warnings:` is not rewritten");
    if (const Node* registers = find_key(block, "registers")) update_registers(*registers, outcome);
    if (const Node* memory = find_key(block, "memory")) update_memory(*memory, outcome.memory);
  }

  void update_registers(const Node& registers, const Outcome& outcome) {
    for (std::size_t i = 0; i + 1 < registers.children.size(); i += 2) {
      const std::string& text = registers.children[i]->text;
      const auto name = parse_register_name(scenario_->program.generation(), text);
      if (name) update_register(*registers.children[i + 1], text, *name, outcome);
    }
  }

  void update_register(const Node& node, const std::string& text, const RegisterName& name, const Outcome& outcome) {
    if (node.is_sequence()) {
      RegisterName dword{name.kind, name.first, 32};
      for (const Node* element : node.children) {
        update_register(*element, text, dword, outcome);
        ++dword.first;
      }
      return;
    }
    const loader::SymbolIndex symbols(scenario_->program);
    const auto expected =
        loader::read_register_expectation(*document_, node, text, name, scenario_->program.generation(), symbols);
    for (const RegisterExpectation& piece : expected) {
      const u64 actual = read_register(outcome.state, piece.name) & piece.mask;
      if (actual == (piece.value & piece.mask)) continue;
      if (expected.size() > 1) {
        leave(*document_, node, "`" + text + "` is not rewritten: give it as a list of dwords");
        return;
      }
      update_value(*document_, node, actual, piece.name.width, "`" + text + "`");
    }
  }

  /// A number, or {value: ..., mask: ...}.
  void update_value(const Document& document, const Node& node, u64 actual, u32 bits, const std::string& what) {
    const Node* value = node.is_map() ? find_key(node, "value") : &node;
    if (value == nullptr || !value->is_scalar()) {
      leave(document, node, what + " is not rewritten: it became " + core::hex(actual));
      return;
    }
    // The mask of a value in a table of commas stays where it is.
    const std::size_t slash = std::min(value->text.find('/'), value->text.size());
    edit(document, *value, write_like(value->text.substr(0, slash), actual, bits) + value->text.substr(slash), what);
  }

  void update_memory(const Node& blocks, const Memory& memory) {
    for (std::size_t i = 0; i < blocks.children.size(); ++i) {
      const MemoryExpectation& expected = scenario_->expect->memory[i];
      std::vector<u8> actual(expected.bytes.size());
      memory.read(expected.address, actual);
      if (actual != expected.bytes) update_content(*blocks.children[i], actual, expected.bytes);
    }
  }

  void update_content(const Node& block, const std::vector<u8>& actual, const std::vector<u8>& expected) {
    static constexpr std::array<std::pair<std::string_view, u32>, 3> lists = {
        {{"words", 4}, {"qwords", 8}, {"bytes", 1}}};
    for (const auto& [key, size_bytes] : lists) {
      const Node* list = find_key(block, key);
      if (list == nullptr || !list->is_sequence()) continue;
      for (std::size_t i = 0; i < list->children.size(); ++i) {
        const auto value = [&, size = size_bytes](const std::vector<u8>& bytes) {
          u64 result = 0;
          for (u32 k = 0; k < size; ++k) result |= u64{bytes[i * size + k]} << (8 * k);
          return result;
        };
        if (value(actual) != value(expected))
          update_value(*document_, *list->children[i], value(actual), size_bytes * 8, "memory");
      }
      return;
    }
    leave(*document_, block, "expected memory is rewritten only where it is a list of numbers");
  }

  // ---- `cases:` ----

  void update_table() {
    const CaseTable& table = *scenario_->cases;
    std::vector<bool> failed(table.rows());
    suite::ScenarioRunner runner(*scenario_, options_);
    for (std::size_t row = 0; row < table.rows(); ++row) failed[row] = !runner.run_row(row).holds;
    if (std::ranges::find(failed, true) == failed.end()) return;
    Scenario copy = *scenario_;
    const loader::SymbolIndex symbols(copy.program);
    std::optional<std::size_t> last_row;
    Outcome outcome;
    bool ends_as_expected = true;
    const loader::CellVisitor visit = [&](std::size_t row, std::size_t index, const Document& document,
                                          const Node& value) {
      const CaseColumn& column = table.columns[index];
      if (!failed[row] || column.is_input()) return;
      if (last_row != row) {
        const Scenario alone = case_scenario(*scenario_, row);
        outcome = run(alone.program, alone.initial, alone.memory, suite::run_options(alone, options_));
        last_row = row;
        ends_as_expected = has_stop(row) || stop_holds(*alone.expect, outcome);
        if (!ends_as_expected)
          leave(document, value, "the run of this row ends with " + std::string(outcome.stop.reason_name()));
      }
      if (ends_as_expected) update_cell(document, value, column, table.row(row)[index], outcome);
    };
    (void)loader::read_cases(*document_, *find_key(*document_->root, "cases"), copy, symbols, for_each_in_turn, visit);
  }

  /// Whether a row says itself why its run ends.
  [[nodiscard]] bool has_stop(std::size_t row) const {
    const CaseTable& table = *scenario_->cases;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].kind == CaseColumn::Kind::expected_stop && table.row(row)[i].mask != 0) return true;
    }
    return false;
  }

  static bool stop_holds(const Expectation& expect, const Outcome& outcome) {
    Expectation stop;
    stop.stop = expect.stop;
    stop.stop_warning = expect.stop_warning;
    return check(stop, outcome).empty();
  }

  void update_cell(const Document& document, const Node& value, const CaseColumn& column, const CaseCell& cell,
                   const Outcome& outcome) {
    const std::string what = "`" + column.path + "`";
    if (column.kind == CaseColumn::Kind::expected_stop) {
      const bool holds = static_cast<StopReason>(cell.value & 255) == outcome.stop.reason;
      if (!holds) edit(document, value, std::string(outcome.stop.reason_name()), what);
      return;
    }
    const bool is_register = column.kind == CaseColumn::Kind::expected_register;
    const u64 actual =
        is_register ? read_register(outcome.state, column.name) & cell.mask : outcome.memory.read_dword(column.address);
    if (actual != cell.value) update_value(document, value, actual, is_register ? column.name.width : 32, what);
  }

  const SuiteOptions& options_;
  const Document* document_ = nullptr;
  const Scenario* scenario_ = nullptr;
  TextEdits edits_;
  std::vector<std::string> left_;
};

}  // namespace

Update update_expectations(const std::string& file, const SuiteOptions& options) {
  Updater updater(options);
  try {
    const std::string text = loader::read_file(file, loader::file_limit_bytes, "a scenario");
    const auto documents = loader::parse_yaml(loader::make_source(text, file));
    const std::vector<Result<Scenario>> scenarios = load_yaml(text, file, options.load);
    for (std::size_t i = 0; i < std::min(documents.size(), scenarios.size()); ++i) {
      if (!documents[i] || !scenarios[i]) continue;
      const std::string id = documents.size() == 1 ? file : file + "#" + std::to_string(i + 1);
      if (suite::is_selected(options.filters, id, scenarios[i]->name)) updater.update(**documents[i], *scenarios[i]);
    }
  } catch (const loader::Rejection&) {
    // Whoever ran the tests knows of it.
    return {};
  }
  return updater.finish();
}

}  // namespace salu
