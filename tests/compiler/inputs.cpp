#include "compiler/inputs.hpp"

#include <cstddef>

namespace salu::compiler_test {
namespace {

constexpr std::size_t drawn_edges = 150;
constexpr std::size_t drawn_values = 150;

u64 mask(unsigned bits) { return bits == 64 ? ~u64{0} : (u64{1} << bits) - 1; }

/// The values of which all pairs are tried.
std::vector<u64> core_edges(unsigned bits) {
  const u64 minimum = u64{1} << (bits - 1);
  const std::vector<u64> all = {
      0, 1, 2, ~u64{0}, ~u64{1}, minimum, minimum - 1, minimum + 1, 31, 32, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa};
  return bits == 1 ? std::vector<u64>{0, 1} : all;
}

}  // namespace

std::vector<u64> all_edges(unsigned bits) {
  std::vector<u64> edges = core_edges(bits);
  for (const u64 value : {u64{3}, u64{5}, u64{7}, u64{10}, u64{33}, u64{63}, u64{64}, u64{100}, u64{0xff00ff00ff00ff00},
                          u64{0x00000000ffff0000}, u64{0xffff0000ffff0000}, u64{0x0123456789abcdef}, u64{0xdeadbeef}}) {
    edges.push_back(value);
  }
  for (unsigned bit = 2; bit < bits; ++bit) {
    const u64 power = u64{1} << bit;
    edges.insert(edges.end(), {power - 1, power, power + 1, ~power});
  }
  return edges;
}

Draw::Draw(std::string_view seed_text) {
  u64 seed = 0xcbf29ce484222325;
  for (const char letter : seed_text) {
    seed = (seed ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  generator_.seed(seed);
}

u64 Draw::edge(unsigned bits) {
  const std::vector<u64> edges = all_edges(bits);
  return edges[generator_() % edges.size()];
}

u64 Draw::value(unsigned bits) {
  const u64 kind = generator_() % 6;
  const u64 a = generator_();
  const u64 b = generator_();
  const u64 c = generator_();
  switch (kind) {
    case 0:
      return (a & mask(bits)) >> (b % bits);
    case 1:
      return a & b & c;
    case 2:
      return a | b | c;
    case 3:
      return edge(bits) + a % 5 - 2;
    default:
      return a;
  }
}

u64 Draw::with_noise(u64 value, unsigned bits) {
  return (value & mask(bits)) | (generator_() & mask(32) & ~mask(bits));
}

std::vector<std::vector<u64>> inputs_for(const std::string& function, const std::vector<unsigned>& widths) {
  Draw draw(function);
  std::vector<std::vector<u64>> inputs;

  if (widths.size() == 1) {
    for (const u64 value : all_edges(widths[0])) {
      inputs.push_back({value});
    }
  } else if (widths.size() == 2) {
    for (const u64 left : core_edges(widths[0])) {
      for (const u64 right : core_edges(widths[1])) {
        inputs.push_back({left, right});
      }
    }
  }
  const auto add = [&](std::size_t count, auto make) {
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<u64>& values = inputs.emplace_back();
      for (const unsigned bits : widths) {
        values.push_back(make(bits));
      }
    }
  };
  add(drawn_edges, [&](unsigned bits) { return draw.edge(bits); });
  add(drawn_values, [&](unsigned bits) { return draw.value(bits); });
  for (std::vector<u64>& values : inputs) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      values[i] = draw.with_noise(values[i], widths[i]);
    }
  }
  return inputs;
}

}  // namespace salu::compiler_test
