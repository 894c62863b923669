#include "sweeping/rows_text.hpp"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

namespace salu::sweeping {
namespace {

constexpr std::string_view stop_column = "expect.stop";

/// The size in bytes of an integer with `bits` bits.
u32 bytes_of_bits(u32 bits) { return std::bit_ceil((bits + 7) / 8); }

void append_bytes(u64 value, u32 size, support::TextBuffer& text) {
  std::array<char, 8> bytes{};
  std::memcpy(bytes.data(), &value, bytes.size());
  text.append(std::string_view(bytes.data(), size));
}

}  // namespace

RowsText::RowsText(SweepFormat format, const std::vector<CasePlace>& inputs, const Outputs& outputs)
    : format_(format), inputs_(inputs.size()), outputs_(outputs.places.size()), steps_(outputs.steps) {
  const auto add_column = [this](std::string name, u32 size) {
    keys_.push_back((keys_.empty() ? "{" : ",") + nlohmann::json(name).dump() + ":");
    names_.push_back(std::move(name));
    sizes_.push_back(size);
  };
  for (const CasePlace& input : inputs) add_column(input.name(), bytes_of_bits(input.bits));
  for (const CasePlace& output : outputs.places) add_column("expect." + output.name(), bytes_of_bits(output.bits));
  if (steps_) add_column("steps", 8);
  add_column(std::string(stop_column), 1);
  for (std::size_t code = 0; code < end_text_.size(); ++code) {
    const RunEnd end{static_cast<u8>(code)};
    if (end.reason() <= StopReason::warning) end_text_[code] = end.text();
  }
}

std::string RowsText::begin(u64 rows) const {
  std::string text;
  switch (format_) {
    case SweepFormat::csv:
      for (const std::string& name : names_) text += (text.empty() ? "" : ",") + name;
      return text + "\n";
    case SweepFormat::json:
      return "[\n";
    case SweepFormat::jsonl:
      return {};
    case SweepFormat::npy:
      break;
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    text += text.empty() ? "{'descr': [" : ", ";
    text += "('" + names_[i] + "', '" + (sizes_[i] == 1 ? "|u1" : "<u" + std::to_string(sizes_[i])) + "')";
  }
  text += "], 'fortran_order': False, 'shape': (" + std::to_string(rows) + ",), }";
  // Padded so that any number of rows fits, and that the whole header is a multiple of 64 bytes.
  constexpr std::size_t prefix_bytes = 12;
  constexpr std::size_t alignment = 64;
  const std::size_t longest_number = std::to_string(u64{1} << 32).size();
  const std::size_t longest_text = text.size() - std::to_string(rows).size() + longest_number + 1;
  const std::size_t size = (prefix_bytes + longest_text + alignment - 1) / alignment * alignment - prefix_bytes;
  text.resize(size - 1, ' ');
  std::string begin = "\x93NUMPY\x02";
  begin += '\0';
  for (u32 i = 0; i < 4; ++i) begin += static_cast<char>(size >> (8 * i) & 0xff);
  return begin + text + "\n";
}

void RowsText::add(const Block& block, std::size_t index, support::TextBuffer& text) const {
  switch (format_) {
    case SweepFormat::csv:
      return add_csv(block, index, text);
    case SweepFormat::json:
    case SweepFormat::jsonl:
      text.append(separator());
      add_json(block, index, text);
      return text.append(format_ == SweepFormat::json ? "}" : "}\n");
    case SweepFormat::npy:
      return add_bytes(block, index, text);
  }
}

void RowsText::add_csv(const Block& block, std::size_t index, support::TextBuffer& text) const {
  for (std::size_t i = 0; i < inputs_; ++i) {
    text.append_number(block.inputs[i][index]);
    text.append(',');
  }
  for (std::size_t i = 0; i < outputs_; ++i) {
    text.append_number(block.results[i][index]);
    text.append(',');
  }
  if (steps_) {
    text.append_number(block.steps[index]);
    text.append(',');
  }
  text.append(end_text_[block.ends[index].code]);
  text.append('\n');
}

void RowsText::add_json(const Block& block, std::size_t index, support::TextBuffer& text) const {
  std::size_t key = 0;
  const auto append = [&](u64 value) {
    text.append(keys_[key++]);
    text.append_number(value);
  };
  for (std::size_t i = 0; i < inputs_; ++i) append(block.inputs[i][index]);
  for (std::size_t i = 0; i < outputs_; ++i) append(block.results[i][index]);
  if (steps_) append(block.steps[index]);
  text.append(keys_[key]);
  text.append('"');
  text.append(end_text_[block.ends[index].code]);
  text.append('"');
}

void RowsText::add_bytes(const Block& block, std::size_t index, support::TextBuffer& text) const {
  std::size_t column = 0;
  for (std::size_t i = 0; i < inputs_; ++i) append_bytes(block.inputs[i][index], sizes_[column++], text);
  for (std::size_t i = 0; i < outputs_; ++i) append_bytes(block.results[i][index], sizes_[column++], text);
  if (steps_) append_bytes(block.steps[index], sizes_[column++], text);
  append_bytes(block.ends[index].code, 1, text);
}

}  // namespace salu::sweeping
