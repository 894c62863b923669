#pragma once

#include <salu/integer.hpp>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace salu::compiler_test {

/// Argument lists for a function, the same in every configuration and every run: edge values in combination, then
/// values drawn from a generator seeded with the function's name. Bits above an argument's width are noise, because the
/// calling convention leaves them unspecified. `widths` are those of the arguments, at most 64 each.
std::vector<std::vector<u64>> inputs_for(const std::string& function, const std::vector<unsigned>& widths);

/// Values of one width that are worth a try: small and large ones, powers of two and what is next to them.
std::vector<u64> all_edges(unsigned bits);

/// Values drawn from a generator of their own, the same everywhere.
class Draw {
 public:
  // A generator of the standard's own gives the same numbers everywhere; its distributions do not.
  explicit Draw(std::string_view seed_text);

  u64 operator()() { return generator_(); }
  /// Below a limit.
  u64 below(u64 limit) { return generator_() % limit; }
  u64 edge(unsigned bits);
  /// Uniform, short, sparse, dense, or near an edge.
  u64 value(unsigned bits);
  /// The value as it lies in its SGPRs: noise above it, up to bit 31.
  u64 with_noise(u64 value, unsigned bits);

 private:
  std::mt19937_64 generator_;
};

}  // namespace salu::compiler_test
