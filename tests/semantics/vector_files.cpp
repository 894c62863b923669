#include "semantics/vector_files.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace salu::test {
namespace {

using Cells = std::map<std::string, std::string>;

Generation parse_generation(const std::string& name) {
  for (const Generation each : all_generations()) {
    if (generation_name(each) == name) return each;
  }
  throw std::runtime_error("unknown generation " + name);
}

bool is_content(const std::string& line) { return line.find_first_not_of(' ') != std::string::npos && line[0] != '#'; }

std::string cell(const Cells& cells, const std::string& column) {
  const auto found = cells.find(column);
  return found == cells.end() ? "-" : found->second;
}

u64 cut(u64 value, u32 dwords) { return dwords == 1 ? value & 0xffffffff : value; }

AluCase make_case(const Cells& cells, Generation generation, bool scc) {
  AluCase result;
  result.generation = generation;
  result.mnemonic = cell(cells, "mnemonic");
  const OpcodeRow& row = opcode_row(generation, result.mnemonic);
  const bool sopk = row.format == "SOPK";
  const auto input = [&](const std::string& column, u32 dwords) {
    const std::string text = cell(cells, column);
    return text == "-" ? 0 : cut(parse_value(text), dwords);
  };
  result.in.scc = scc;
  result.in.exec = input("exec", 2);
  result.in.old = input("old", sopk ? 1 : row.dst_dwords);
  result.in.s0 = input("ssrc0", row.src0_dwords);
  result.in.s1 = sopk ? input("simm16", 1) & 0xffff : input("ssrc1", row.src1_dwords);

  std::string d = cell(cells, "sdst'");
  if (d.ends_with('?')) {
    result.out.unspecified = true;
    d.pop_back();
  }
  if (d != "=" && d != "-") result.out.d = cut(parse_value(d), row.dst_dwords);
  const std::string scc_after = cell(cells, "scc'");
  if (scc_after != "=") result.out.scc = parse_value(scc_after) != 0;
  const std::string exec_after = cell(cells, "exec'");
  if (exec_after != "-") result.out.exec = parse_value(exec_after);
  return result;
}

std::string trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::pair<std::string, std::string> assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw std::runtime_error("expected name=value instead of " + text);
  return {text.substr(0, equals), text.substr(equals + 1)};
}

StateVector parse_state_vector(const std::vector<std::string>& cells, const std::string& mnemonic) {
  StateVector result;
  result.mnemonic = mnemonic;
  result.generations = parse_generations(cells[1], result.mnemonic);
  for (const std::string& field : split(cells[2], ' ')) result.fields.insert(assignment(field));
  for (const std::string& text : split(cells[3], ' ')) result.given.push_back(assignment(text));
  for (const std::string& text : split(cells[4], ' ')) result.then.push_back(assignment(text));
  result.stop = "step_limit";
  for (const std::string& word : split(cells[5], ' ')) {
    if (word.starts_with('+')) {
      result.warnings += (result.warnings.empty() ? "" : " ") + word.substr(1);
    } else {
      result.stop = word;
    }
  }
  return result;
}

}  // namespace

u64 parse_value(const std::string& text) {
  std::size_t used = 0;
  u64 value = 0;
  if (text.find('.') != std::string::npos) {
    const double number = std::stod(text, &used);
    const bool is_double = text.ends_with('d');
    value = is_double ? std::bit_cast<u64>(number) : std::bit_cast<u32>(static_cast<float>(number));
    if (is_double) ++used;
  } else if (text.starts_with('-')) {
    value = 0 - std::stoull(text.substr(1), &used, 0);
    ++used;
  } else {
    value = std::stoull(text, &used, 0);
  }
  if (used != text.size()) throw std::runtime_error(text + " is not a value");
  return value;
}

u64 value_of(const std::string& text) {
  if (!text.starts_with("here")) return parse_value(text);
  if (text == "here") return here;
  const u64 distance = parse_value(text.substr(5));
  return text[4] == '-' ? here - distance : here + distance;
}

void assign(WaveState& state, Generation generation, const std::string& name, const std::string& values) {
  if (name == "sgprs") {
    state.sgprs = static_cast<u32>(value_of(values));
    return;
  }
  const auto target = parse_register_name(generation, name);
  if (!target) throw std::runtime_error("unknown register " + name);
  const std::vector<std::string> dwords = split(values, ',');
  if (dwords.size() == 1) return write_register(state, generation, *target, value_of(values));
  if (!target->is_in_file() || target->width != 32 * dwords.size()) {
    throw std::runtime_error(name + " is not as wide as the list of its dwords");
  }
  for (u32 i = 0; i < dwords.size(); ++i) {
    state.file[target->index + i] = static_cast<u32>(value_of(dwords[i]));
    state.defined.set(target->index + i);
  }
}

u32 operand_code(Generation generation, const std::string& text) {
  if (text == "literal") return 255;
  if (text.starts_with('#')) return static_cast<u32>(parse_value(text.substr(1)));
  if (text == "vcc") return vcc.code;
  if (text == "exec") return exec.code;
  if (text == "m0") return m0.code;
  if (text == "tba") return tba.code;
  if (text == "tma") return tma.code;
  if (text == "flat_scratch") return is_gcn1_2_or_later(generation) ? 102 : 104;
  if (text == "xnack_mask") return 104;
  const std::string digits = text.substr(std::min(text.find_first_of("0123456789"), text.size()));
  const auto index = digits.empty() ? 0 : static_cast<u32>(std::stoul(digits));
  if (text.starts_with("ttmp")) return ttmp(generation, index).code;
  if (text.starts_with('s')) return index;
  return number(static_cast<int>(static_cast<i64>(parse_value(text)))).code;
}

std::vector<Generation> parse_generations(const std::string& cell, const std::string& mnemonic) {
  std::vector<Generation> named;
  if (cell == "all") {
    named = generations();
  } else if (cell.ends_with('+')) {
    named = generations(parse_generation(cell.substr(0, cell.size() - 1)));
  } else if (cell.starts_with('-')) {
    named = generations(Generation::gcn1_0, parse_generation(cell.substr(1)));
  } else {
    for (const std::string& name : split(cell, ',')) named.push_back(parse_generation(name));
  }
  std::erase_if(named, [&](Generation each) { return find_opcode_row(each, mnemonic) == nullptr; });
  if (named.empty()) throw std::runtime_error("no generation of " + cell + " has " + mnemonic);
  return named;
}

std::vector<AluVector> read_alu_vectors(const std::string& file) {
  std::vector<AluVector> vectors;
  std::vector<std::string> columns;
  const std::vector<std::string> lines = read_data_lines("vectors/" + file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!is_content(lines[i])) continue;
    const std::vector<std::string> words = split(lines[i], ' ');
    if (columns.empty()) {
      columns = words;
      continue;
    }
    AluVector vector;
    vector.where = file + ":" + std::to_string(i + 1);
    try {
      if (words.size() != columns.size()) throw std::runtime_error("the line has not as many columns as the first one");
      Cells cells;
      for (std::size_t c = 0; c < words.size(); ++c) cells[columns[c]] = words[c];
      for (const Generation generation : parse_generations(cell(cells, "generations"), cell(cells, "mnemonic"))) {
        const std::string scc = cell(cells, "scc");
        if (scc != "1") vector.cases.push_back(make_case(cells, generation, false));
        if (scc != "0") vector.cases.push_back(make_case(cells, generation, true));
      }
    } catch (const std::exception& error) {
      throw std::runtime_error(vector.where + ": " + error.what());
    }
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

std::vector<StateVector> read_state_vectors(const std::string& file) {
  std::vector<StateVector> vectors;
  const std::vector<std::string> lines = read_data_lines("vectors/" + file);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!is_content(lines[i])) continue;
    const std::string where = file + ":" + std::to_string(i + 1);
    try {
      std::vector<std::string> cells = split(lines[i], '|');
      if (cells.size() != 6) throw std::runtime_error("expected six columns");
      for (std::string& text : cells) text = trim(text);
      for (const std::string& mnemonic : split(cells[0], ' ')) {
        vectors.push_back(parse_state_vector(cells, mnemonic));
        vectors.back().where = where;
      }
    } catch (const std::exception& error) {
      throw std::runtime_error(where + ": " + error.what());
    }
  }
  return vectors;
}

}  // namespace salu::test
