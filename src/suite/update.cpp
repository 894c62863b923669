#include <salu/suite.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <unordered_set>
#include <utility>

#include "loader/program/code_files.hpp"
#include "loader/rejection.hpp"
#include "loader/scenario/cases.hpp"
#include "loader/scenario/registers.hpp"
#include "loader/text_file.hpp"
#include "observe/accesses.hpp"
#include "suite/scenario_runner.hpp"
#include "suite/selection.hpp"
#include "suite/text_edits.hpp"
#include "support/numbers.hpp"

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

/// Collects the replacements in the texts of some scenarios.
class Updater {
 public:
  explicit Updater(const SuiteOptions& options) : options_(options) {}

  void update_file(const std::string& file) {
    std::string text;
    std::vector<Result<std::shared_ptr<const Document>>> documents;
    try {
      text = loader::read_file(file, loader::file_limit_bytes, "a scenario", options_.load.files);
      documents = loader::parse_yaml(loader::make_source(text, file, loader::file_limit_bytes));
    } catch (loader::Rejection& rejection) {
      left_.push_back(std::move(rejection).take().to_string());
      return;
    }
    // Code files have no expectations.
    if (loader::code_file_kind(text, file)) return;
    std::size_t count = 0;
    load_each(text, file, options_.load, [&](const Result<Scenario>& scenario) {
      if (++count > documents.size()) return;
      if (!suite::is_chosen_document(options_.document, count, scenario ? scenario->name : "")) return;
      const std::string id = documents.size() == 1 ? file : fmt::format("{}#{}", file, count);
      update_document(documents[count - 1], scenario, id);
    });
  }

  Update finish() {
    Update update = edits_.apply();
    left_.insert(left_.end(), update.left.begin(), update.left.end());
    update.left = std::move(left_);
    return update;
  }

 private:
  void update_document(const Result<std::shared_ptr<const Document>>& document, const Result<Scenario>& scenario,
                       const std::string& id) {
    if (!scenario) {
      // Other errors were reported by the run.
      const ErrorCode code = scenario.error().code;
      if (code == ErrorCode::io || code == ErrorCode::memory) left_.push_back(scenario.error().to_string());
    }
    if (!document || !scenario) return;
    try {
      update(**document, *scenario, id);
    } catch (loader::Rejection& rejection) {
      // A table may have changed since it was loaded.
      left_.push_back(std::move(rejection).take().to_string());
    }
  }

  void update(const Document& document, const Scenario& scenario, const std::string& id) {
    document_ = &document;
    scenario_ = &scenario;
    if (scenario.cases != nullptr) {
      const suite::RowSelection selection(options_.filters, id, scenario.name, *scenario.cases);
      if (selection.count({}) == 0) return;
      update_table(selection);
    } else {
      if (!suite::is_selected(options_.filters, id, scenario.name)) return;
      update_block(run(scenario, suite::run_options(scenario, options_)));
    }
    // A value that an alias shares with an input stays.
    std::unordered_set<const Node*> kept;
    const std::vector<const Node*>& pairs = document.root->children;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      if (pairs[i]->text != "expect" && pairs[i]->text != "cases") keep(document, *pairs[i + 1], kept);
    }
  }

  /// Keeps all scalars of a tree.
  void keep(const Document& document, const Node& tree, std::unordered_set<const Node*>& kept) {
    if (tree.is_scalar()) edits_.keep(document, tree);
    // Each node is visited once, because aliases can make a small file a huge tree.
    if (tree.children.empty() || !kept.insert(&tree).second) return;
    for (const Node* child : tree.children) keep(document, *child, kept);
  }
  void keep(const Document& document, const Node& tree) {
    std::unordered_set<const Node*> kept;
    keep(document, tree, kept);
  }

  void leave(const Document& document, const Node& node, const std::string& why) {
    left_.push_back(fmt::format("{}:{}: {}", document.source->file, node.line, why));
  }

  void edit(const Document& document, const Node& node, const std::string& text, const std::string& what) {
    if (!edits_.replace(document, node, text, what))
      leave(document, node, what + " is not rewritten because of its notation: " + text);
  }

  // ---- `expect:` ----

  void update_block(const Outcome& outcome) {
    const bool ends_as_expected = stop_holds(scenario_->expect.value_or(Expectation{}), outcome);
    const std::string reason(outcome.stop.reason_name());
    const Node* const block = find_key(*document_->root, "expect");
    const Node* const stop = block == nullptr ? nullptr : find_key(*block, "stop");
    if (stop == nullptr && !ends_as_expected) {
      // The state after such a run cannot be expected.
      leave(*document_, block == nullptr ? *document_->root : *block,
            "the run does not end regularly; add `stop: " + reason + "` if this is intended");
      return;
    }
    if (block == nullptr) return;
    const Expectation& expect = *scenario_->expect;
    if (stop != nullptr) settle(*document_, *stop, ends_as_expected, reason, "`stop:`");
    if (expect.max_steps) {
      const Node& limit = *find_key(*block, "max_steps");
      settle(*document_, limit, outcome.steps <= *expect.max_steps, write_like(limit.text, outcome.steps, 64),
             "`max_steps:`");
    }
    if (const Node* warnings = find_key(*block, "warnings")) {
      Expectation part = only_stop(outcome);
      part.warnings = expect.warnings;
      if (!check(part, outcome).empty()) leave(*document_, *warnings, "`warnings:` is not rewritten");
    }
    if (const Node* registers = find_key(*block, "registers")) update_registers(*registers, outcome);
    if (const Node* memory = find_key(*block, "memory")) update_memory(*memory, outcome.memory);
  }

  /// Keeps a value that holds, and replaces others.
  void settle(const Document& document, const Node& node, bool holds, const std::string& text,
              const std::string& what) {
    if (holds) return edits_.keep(document, node);
    edit(document, node, text, what);
  }

  /// An expectation of only the stop reason.
  static Expectation only_stop(const Outcome& outcome) {
    Expectation expect;
    expect.stop = outcome.stop.reason;
    expect.stop_warning = outcome.stop.warning;
    return expect;
  }

  static bool stop_holds(const Expectation& expect, const Outcome& outcome) {
    Expectation stop;
    stop.stop = expect.stop;
    stop.stop_warning = expect.stop_warning;
    return std::ranges::none_of(check(stop, outcome),
                                [](const Mismatch& mismatch) { return mismatch.kind == Mismatch::Kind::stop; });
  }

  void update_registers(const Node& registers, const Outcome& outcome) {
    for (std::size_t i = 0; i + 1 < registers.children.size(); i += 2) {
      const std::string& text = registers.children[i]->text;
      const auto name = parse_register_name(scenario_->program.generation(), text);
      if (name) update_register(*registers.children[i + 1], text, *name, outcome);
    }
  }

  void update_register(const Node& node, const std::string& text, const RegisterName& name, const Outcome& outcome) {
    const std::optional<loader::FloatNode> floats = loader::find_floats(node);
    if (floats && (floats->numbers->is_sequence() || node.children.size() != 2))
      return leave(*document_, node,
                   "`" + text + "` is not rewritten: it has several floating-point numbers or `ulps:`");
    if (node.is_sequence() && name.vector_registers() > 1)
      return leave(*document_, node, "`" + text + "` is not rewritten: give the registers one by one");
    if (node.is_sequence()) {
      RegisterName dword{name.index};
      for (const Node* element : node.children) {
        update_register(*element, text, dword, outcome);
        ++dword.index;
      }
      return;
    }
    const loader::SymbolIndex symbols(scenario_->program);
    const auto expected =
        loader::read_register_expectation(*document_, node, text, name, scenario_->program.generation(), symbols);
    if (name.vector_registers() == 1) {
      std::vector<Lane> lanes;
      for (const RegisterExpectation& lane : expected)
        lanes.push_back(lane_after(outcome, lane.name, {lane.value & lane.mask, lane.mask}));
      return update_lanes(*document_, node, lanes, "`" + text + "`");
    }
    bool holds = true;
    for (const RegisterExpectation& piece : expected) {
      if (is_lost(outcome, piece.name))
        return leave(*document_, node, "`" + text + "` is not rewritten: a skipped vector instruction decides it");
      const u64 actual = read_register(outcome.state, piece.name) & piece.mask;
      if (actual == (piece.value & piece.mask)) continue;
      if (expected.size() > 1)
        return leave(*document_, node, "`" + text + "` is not rewritten: give it as a list of dwords");
      holds = false;
      update_value(*document_, node, actual, piece.name.width, "`" + text + "`");
    }
    if (holds) keep(*document_, node);
  }

  /// Updates a number, {f32: ...}, {f64: ...}, or {value: ..., mask: ...}.
  void update_value(const Document& document, const Node& node, u64 actual, u32 bits, const std::string& what) {
    static constexpr std::array<std::pair<std::string_view, u32>, 2> formats = {{{"f32", 32}, {"f64", 64}}};
    for (const auto& [key, width] : formats) {
      const Node* const number = node.is_map() ? find_key(node, key) : nullptr;
      if (number == nullptr) continue;
      const std::optional<std::string> text = suite::write_float(actual, width);
      if (text) return edit(document, *number, *text, what);
      return leave(
          document, node,
          fmt::format("{} is not rewritten: it became {}, which is not a finite {}", what, support::hex(actual), key));
    }
    const Node* value = node.is_map() ? find_key(node, "value") : &node;
    if (value == nullptr || !value->is_scalar()) {
      leave(document, node, what + " is not rewritten: it became " + support::hex(actual));
      return;
    }
    if (const Node* mask = node.is_map() ? find_key(node, "mask") : nullptr; mask != nullptr && mask->is_scalar())
      edits_.keep(document, *mask);
    // The mask of a value in a CSV table stays.
    const std::size_t slash = std::min(value->text.find('/'), value->text.size());
    edit(document, *value, write_like(value->text.substr(0, slash), actual, bits) + value->text.substr(slash), what);
  }

  void update_memory(const Node& blocks, const Memory& memory) {
    for (std::size_t i = 0; i < blocks.children.size(); ++i) {
      const MemoryExpectation& expected = scenario_->expect->memory[i];
      std::vector<u8> actual(expected.bytes.size());
      memory.read(expected.address, actual);
      if (actual == expected.bytes) {
        keep(*document_, *blocks.children[i]);
      } else {
        update_content(*blocks.children[i], actual, expected.bytes);
      }
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
        if (value(actual) == value(expected)) {
          keep(*document_, *list->children[i]);
        } else {
          update_value(*document_, *list->children[i], value(actual), size_bytes * 8, "memory");
        }
      }
      return;
    }
    leave(*document_, block, "expected memory is rewritten only if it is a list of numbers");
  }

  // ---- `cases:` ----

  void update_table(const suite::RowSelection& selection) {
    const CaseTable& table = *scenario_->cases;
    std::vector<bool> failed(table.rows());
    suite::ScenarioRunner runner(*scenario_, options_);
    for (std::size_t row = 0; row < table.rows(); ++row) failed[row] = selection.has(row) && !runner.run_row(row).holds;
    Scenario copy = *scenario_;
    const loader::SymbolIndex symbols(copy.program);
    std::optional<std::size_t> last_row;
    std::vector<bool> seen(table.rows());
    RowRun row_run;
    const loader::CellVisitor visit = [&](std::size_t row, loader::CellColumns columns, const Document& document,
                                          const Node& value) {
      const CaseColumn& column = table.columns[columns.first];
      if (!selection.has(row)) return;
      if (column.is_input() || !failed[row]) return keep(document, value);
      if (last_row != row) {
        row_run = run_row(row);
        last_row = row;
        seen[row] = true;
        if (!row_run.ends_as_expected) leave(document, value, ends_otherwise(row_run));
      }
      if (!row_run.ends_as_expected) return;
      const auto cells = table.row(row).subspan(columns.first, columns.count);
      if (columns.count == 1) return update_cell(document, value, column, cells.front(), row_run);
      update_lanes_of_row(document, value, std::span(table.columns).subspan(columns.first, columns.count), cells,
                          row_run);
    };
    // The rows are visited one by one.
    LoadOptions load = options_.load;
    load.for_each = for_each_in_turn;
    (void)loader::read_cases(*document_, *find_key(*document_->root, "cases"), copy, symbols, load, visit);
    // Failures in rows without own expectations concern the shared expectation.
    for (std::size_t row = 0; row < table.rows(); ++row) {
      if (!failed[row] || seen[row]) continue;
      const RowRun alone = run_row(row);
      if (alone.ends_as_expected) continue;
      left_.push_back(fmt::format("{}:{}: {}", table.file, table.lines[row], ends_otherwise(alone)));
    }
  }

  /// The outcome of a failed row.
  struct RowRun {
    Outcome outcome;
    bool stop_holds = false;
    bool ends_as_expected = false;  ///< or the row has its own stop reason
  };

  static std::string ends_otherwise(const RowRun& row) {
    return fmt::format("the run of this row ends with `stop: {}`; add it to the row if this is intended",
                       row.outcome.stop.reason_name());
  }

  RowRun run_row(std::size_t row) {
    const Scenario alone = case_scenario(*scenario_, row);
    // The scenario and the row may have no expectation.
    const Expectation expect = alone.expect.value_or(Expectation{});
    RowRun result;
    result.outcome = run(alone, suite::run_options(alone, options_));
    result.stop_holds = stop_holds(expect, result.outcome);
    result.ends_as_expected = result.stop_holds || has_stop(row);
    // `expect:` of the scenario.
    const CaseTable& table = *scenario_->cases;
    for (const Mismatch& mismatch : check(expect, result.outcome)) {
      const SourcePlace& where = mismatch.where;
      const bool is_in_row = where.file == table.file && where.line == table.lines[row];
      if (is_in_row || mismatch.kind == Mismatch::Kind::stop) continue;
      std::string place = fmt::format("{}:{}: `{}", where.file, where.line, name_of(mismatch));
      if (left_of_all_rows_.insert(place).second)
        left_.push_back(place + "` is not rewritten: all rows of `cases:` share it");
    }
    return result;
  }

  /// The name of the register for a lane, to avoid 64 messages.
  [[nodiscard]] std::string name_of(const Mismatch& mismatch) const {
    if (!mismatch.location || !state_index::is_lane(mismatch.location->index)) return mismatch.what;
    const u32 lane = state_index::lane_of(mismatch.location->index);
    return observe::location_name(scenario_->program.generation(),
                                  {mismatch.location->index - lane, state_index::lanes});
  }

  /// True if a row has its own stop reason.
  [[nodiscard]] bool has_stop(std::size_t row) const {
    const CaseTable& table = *scenario_->cases;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].kind == CaseColumn::Kind::expected_stop && table.row(row)[i].mask != 0) return true;
    }
    return false;
  }

  void update_cell(const Document& document, const Node& value, const CaseColumn& column, const CaseCell& cell,
                   const RowRun& row) {
    const std::string what = "`" + column.path + "`";
    const Outcome& outcome = row.outcome;
    if (column.kind == CaseColumn::Kind::expected_stop)
      return settle(document, value, row.stop_holds, std::string(outcome.stop.reason_name()), what);
    const bool is_register = column.kind == CaseColumn::Kind::expected_register;
    if (is_register && is_lost(outcome, column.name))
      return leave(document, value, what + " is not rewritten: a skipped vector instruction decides it");
    std::array<u8, 8> bytes{};
    if (!is_register) outcome.memory.read(column.address, std::span(bytes).first(column.size_bytes));
    const u64 actual = is_register ? read_register(outcome.state, column.name) & cell.mask : std::bit_cast<u64>(bytes);
    if (column.floats) return update_float(document, value, column, {cell.value, actual, false});
    if (actual == cell.value) return keep(document, value);
    update_value(document, value, actual, is_register ? column.name.width : 32, what);
  }

  /// Updates lanes of a vector register whose values are not one cell each: one value for all lanes, or values with a
  /// mask.
  void update_lanes_of_row(const Document& document, const Node& node, std::span<const CaseColumn> columns,
                           std::span<const CaseCell> cells, const RowRun& row) {
    const std::string& path = columns.front().path;
    std::vector<Lane> lanes;
    for (std::size_t i = 0; i < columns.size(); ++i)
      lanes.push_back(lane_after(row.outcome, columns[i].name, cells[i]));
    const std::string what = "`" + path.substr(0, path.rfind('[')) + "`";
    if (!columns.front().floats) return update_lanes(document, node, lanes, what);
    const bool holds = std::ranges::all_of(lanes, [&](const Lane& lane) {
      return !lane.is_lost && are_equal(*columns.front().floats, lane.expected, lane.actual, 32);
    });
    if (holds) return keep(document, node);
    leave(document, node, what + " is not rewritten: give its floats as a list of lanes");
  }

  // ---- lanes ----

  /// The comparison of a lane.
  struct Lane {
    u64 expected = 0;
    u64 actual = 0;
    bool is_lost = false;
  };

  static Lane lane_after(const Outcome& outcome, const RegisterName& name, const CaseCell& cell) {
    return {cell.value, read_register(outcome.state, name) & cell.mask, is_lost(outcome, name)};
  }

  /// Updates a value in a column of floats.
  void update_float(const Document& document, const Node& value, const CaseColumn& column, const Lane& lane) {
    const std::string what = "`" + column.path + "`";
    const bool is_register = column.kind == CaseColumn::Kind::expected_register;
    const u32 width = is_register ? column.name.width : column.size_bytes * 8;
    if (are_equal(*column.floats, lane.expected, lane.actual, width)) return keep(document, value);
    if (float_bits(column.floats->format) != width)
      return leave(document, value, what + " is not rewritten: it has several floating-point numbers");
    edit(document, value, float_text(column.floats->format, lane.actual), what);
  }

  /// Updates the lanes of a vector register: one value for all or a list, with or without a mask.
  void update_lanes(const Document& document, const Node& node, std::span<const Lane> lanes, const std::string& what) {
    if (std::ranges::any_of(lanes, &Lane::is_lost))
      return leave(document, node, what + " is not rewritten: a skipped vector instruction decides it");
    if (std::ranges::equal(lanes, lanes, {}, &Lane::expected, &Lane::actual)) return keep(document, node);
    const Node* const value = node.is_map() ? find_key(node, "value") : &node;
    if (value == nullptr || !value->is_sequence()) {
      const u64 common = lanes.front().actual;
      const bool differ = std::ranges::any_of(lanes, [&](const Lane& lane) { return lane.actual != common; });
      if (differ)
        return leave(document, node, what + " is not rewritten: its lanes differ; give it as a list of lanes");
      return update_value(document, node, common, 32, what);
    }
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (lanes[i].actual == lanes[i].expected) {
        keep(document, *value->children[i]);
      } else {
        update_value(document, *value->children[i], lanes[i].actual, 32, what);
      }
    }
  }

  const SuiteOptions& options_;
  const Document* document_ = nullptr;
  const Scenario* scenario_ = nullptr;
  TextEdits edits_;
  std::vector<std::string> left_;
  std::unordered_set<std::string> left_of_all_rows_;
};

}  // namespace

Update update_expectations(const std::vector<std::string>& files, const SuiteOptions& options) {
  Updater updater(options);
  for (const std::string& file : files) updater.update_file(file);
  return updater.finish();
}

}  // namespace salu
