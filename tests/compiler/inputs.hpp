#pragma once

#include <salu/integer.hpp>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace salu::compiler_test {

/// Argument lists for a function, the same in every configuration and every run: combinations of edge cases, then
/// values from a generator seeded with the function's name. Bits above an argument's width are random, because the
/// calling convention leaves them unspecified. `widths` are those of the arguments, at most 64 each.
std::vector<std::vector<u64>> inputs_for(const std::string& function, const std::vector<unsigned>& widths);

/// Interesting values of one width: small and large ones, powers of two and their neighbours.
std::vector<u64> all_edges(unsigned bits);

/// Values from a separate generator, the same on all systems.
class Draw {
 public:
  // The generators of the C++ standard give the same numbers everywhere; its distributions do not.
  explicit Draw(std::string_view seed_text);

  u64 operator()() { return generator_(); }
  /// A value below a limit.
  u64 below(u64 limit) { return generator_() % limit; }
  u64 edge(unsigned bits);
  /// Uniform, short, sparse, dense, or near an edge.
  u64 value(unsigned bits);
  /// The value as it is in its SGPRs: random bits above it, up to bit 31.
  u64 with_noise(u64 value, unsigned bits);

 private:
  std::mt19937_64 generator_;
};

}  // namespace salu::compiler_test
