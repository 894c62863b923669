// Floats of 32 bits at the edges of their format, values of IEEE 754 as static_asserts: that this file compiles is the
// test. `scripts/mutate --lanes` compiles it alone against every mutant of a constant.
#include <array>

#include "isa/vector/semantics/address.hpp"
#include "isa/vector/semantics/all.hpp"

namespace salu::test::vector_constants {

using namespace isa::vector;  // NOLINT(google-build-using-namespace): nothing else is named here

constexpr F32 one{0x3f80'0000};
constexpr F32 two{0x4000'0000};
constexpr F32 three{0x4040'0000};
constexpr F32 greatest{0x7f7f'ffff};
constexpr F32 infinity{0x7f80'0000};
constexpr F32 minus_infinity{0xff80'0000};
constexpr F32 signalling{0x7f80'0001};
constexpr F32 least_normal{0x0080'0000};
constexpr F32 greatest_denormal{0x007f'ffff};
constexpr F32 least_denormal{0x0000'0001};

constexpr FloatMode nearest{};
constexpr FloatMode to_zero{Rounding::to_zero};

static_assert(add(one, one, nearest) == two);
static_assert(add(greatest_denormal, least_denormal, nearest) == least_normal);
static_assert(add(infinity, minus_infinity, nearest) == F32{0x7fc0'0000});
static_assert(add(signalling, one, nearest) == F32{0x7fc0'0001});
static_assert(add(infinity, one, nearest) == infinity);
static_assert(add(greatest, greatest, nearest) == infinity);
static_assert(add(greatest, greatest, to_zero) == greatest);
static_assert(add(three, {0xc040'0000}, nearest) == F32{0});
static_assert(multiply(three, three, nearest) == F32{0x4110'0000});
static_assert(multiply(least_normal, {0x3f00'0000}, nearest) == F32{0x0040'0000});
static_assert(multiply(infinity, {0}, nearest) == F32{0x7fc0'0000});
static_assert(multiply(greatest, {0xc000'0000}, nearest) == minus_infinity);
static_assert(multiply(least_normal, one, nearest.flushing()) == least_normal);
static_assert(multiply(greatest_denormal, one, nearest.flushing()) == F32{0});
static_assert(multiply_add(three, three, one, nearest) == F32{0x4120'0000});
static_assert(reciprocal(three, nearest) == F32{0x3eaa'aaab});
static_assert(reciprocal({0x8000'0000}, nearest) == minus_infinity);
static_assert(truncated({0x4020'0000}, nearest) == two);
static_assert(truncated({0xbf7f'ffff}, nearest) == F32{0x8000'0000});
static_assert(truncated({0x4b00'0001}, nearest) == F32{0x4b00'0001});
static_assert(to_float(16'777'217, nearest) == F32{0x4b80'0000});
static_assert(to_float(-3, nearest) == F32{0xc040'0000});
static_assert(to_integer<i32>({0xc020'0000}) == -2);
static_assert(to_integer<u32>({0x4f7f'ffff}) == 0xffff'ff00);
static_assert(compare(minus_infinity, greatest, nearest).less);
static_assert(modified(three, 0, true, nearest) == one);
static_assert(modified({0xc040'0000}, 0, true, nearest) == F32{0});

// The words of a descriptor are unsigned.
constexpr std::array<u32, 4> descriptor{0x89ab'cdef, 0x1234, 0, 0};
static_assert(semantics::buffer_resource(Generation::gcn1_4, descriptor).base == 0x1234'89ab'cdef);

}  // namespace salu::test::vector_constants
