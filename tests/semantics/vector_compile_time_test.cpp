// 32-bit floats at the limits of their format, with the values of IEEE 754 as static_asserts: the test passes if this
// file compiles. `scripts/mutate --lanes` compiles only this file against every mutant of a constant.
#include <array>

#include "isa/vector/semantics/address.hpp"
#include "isa/vector/semantics/all.hpp"
#include "isa/vector/semantics/conversions.hpp"
#include "isa/vector/semantics/float_atomics.hpp"
#include "isa/vector/table.hpp"

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
static_assert(reciprocal(F32{0x8000'0000}, nearest) == minus_infinity);
static_assert(truncated(F32{0x4020'0000}, nearest) == two);
static_assert(truncated(F32{0xbf7f'ffff}, nearest) == F32{0x8000'0000});
static_assert(truncated(F32{0x4b00'0001}, nearest) == F32{0x4b00'0001});
static_assert(to_float(16'777'217, nearest) == F32{0x4b80'0000});
static_assert(to_float(-3, nearest) == F32{0xc040'0000});
static_assert(to_integer<i32>(F32{0xc020'0000}, nearest, false) == -2);
static_assert(to_integer<u32>(F32{0x4f7f'ffff}, nearest, false) == 0xffff'ff00);
static_assert(compare(minus_infinity, greatest, nearest, false).less);
static_assert(modified(three, 0, true, nearest) == one);
static_assert(modified(F32{0xc040'0000}, 0, true, nearest) == F32{0});

// Parts, selections and steps of divisions.
constexpr F32 minus_zero{0x8000'0000};
constexpr F32 half{0x3f00'0000};
static_assert(to_integral(F32{0x3fc0'0000}, Rounding::to_nearest_even, nearest) == two);
static_assert(to_integral(F32{0x4020'0000}, Rounding::to_nearest_even, nearest) == two);
static_assert(to_integral(half, Rounding::up, nearest) == one);
static_assert(to_integral(half, Rounding::down, nearest) == F32{0});
static_assert(fraction_of(F32{0xb300'0000}, nearest) == F32{0x3f7f'ffff});
static_assert(fraction_of(F32{0x3fc0'0000}, nearest) == half);
static_assert(scaled(one, -149, nearest) == least_denormal);
static_assert(scaled(least_denormal, 276, nearest) == F32{0x7f00'0000});
static_assert(scaled(one, 0x7fff'ffff, nearest) == infinity);
static_assert(significand_of(least_denormal, nearest) == half && exponent_of(least_denormal, nearest) == -148);
static_assert(significand_of(three, nearest) == F32{0x3f40'0000} && exponent_of(three, nearest) == 2);
static_assert(minimum(F32{0}, minus_zero, nearest) == minus_zero && maximum(minus_zero, F32{0}, nearest) == F32{0});
static_assert(minimum(one, F32{0x7fc0'0000}, nearest) == one);
static_assert(minimum(one, signalling, nearest) == F32{0x7fc0'0001});
static_assert(median_of(three, one, two, nearest) == two);
static_assert(class_of(minus_infinity) == 2 && class_of(least_denormal) == 7);
static_assert(division_operand(one, one, greatest, nearest).scales_quotient);
static_assert(division_operand(one, one, greatest, nearest).value == F32{0x5f80'0000});
static_assert(division_step(one, one, two, true, nearest) == F32{0x6040'0000});
static_assert(division_step(one, one, one, true, nearest) == F32{0x2000'0000});
static_assert(division_result(one, minus_zero, one, nearest) == minus_infinity);

// The other formats at their limits.
constexpr F64 one_64{0x3ff0'0000'0000'0000};
constexpr F16 one_16{0x3c00};
static_assert(add(F64{0x7fef'ffff'ffff'ffff}, F64{0x7fef'ffff'ffff'ffff}, nearest) == F64{0x7ff0'0000'0000'0000});
static_assert(multiply(F64{0x0010'0000'0000'0000}, F64{0x3fe0'0000'0000'0000}, nearest) == F64{0x0008'0000'0000'0000});
static_assert(multiply_add(one_64, one_64, F64{0x3ca0'0000'0000'0000}, nearest) == one_64);
static_assert(reciprocal(F64{0x4008'0000'0000'0000}, nearest) == F64{0x3fd5'5555'5555'5555});
static_assert(square_root(F64{0x4000'0000'0000'0000}, nearest) == F64{0x3ff6'a09e'667f'3bcd});
static_assert(reciprocal_root(F64{0x4010'0000'0000'0000}, nearest) == F64{0x3fe0'0000'0000'0000});
constexpr F64 greatest_64{0x7fef'ffff'ffff'ffff};
static_assert(division_operand(one_64, one_64, greatest_64, nearest).value == F64{0x47f0'0000'0000'0000});
static_assert(division_step(one_64, one_64, F64{0x4000'0000'0000'0000}, true, nearest) == F64{0x4808'0000'0000'0000});
static_assert(two_over_pi_segment(one_64, 0, nearest) == F64{0x3fe4'5f30'6dc9'c882});
static_assert(add(F16{0x7bff}, F16{0x7bff}, nearest) == F16{0x7c00});
static_assert(multiply(F16{0x0400}, F16{0x3800}, nearest.flushing()) == F16{0});
static_assert(convert<F16>(F32{0x3880'0000}, nearest, nearest) == F16{0x0400});
static_assert(convert<F32>(one_64, nearest, nearest) == one && convert<F64>(one_16, nearest, nearest) == one_64);
static_assert(exponential(three, nearest) == F32{0x4100'0000} && logarithm(F32{0x4100'0000}, nearest) == three);
static_assert(sine(F32{0x3e80'0000}, nearest) == one && cosine(half, nearest) == F32{0xbf80'0000});
static_assert(to_normalised<i16>(F32{0xc000'0000}, nearest) == -32767 && to_normalised<u16>(one, nearest) == 65535);
static_assert(to_integer_half_up(F32{0xbf00'0000}, nearest) == 0);

// Dot products: exact sums, computed with Python's integers (CDNA 3 ISA manual, V_DOT2_I32_I16 and others).
constexpr u32 bytes0 = 0x80ff'017f;
constexpr u32 bytes1 = 0x7f02'ff80;
constexpr u32 least_halves = 0x8000'8000;
constexpr i32 least = -0x7fff'ffff - 1;
constexpr Clamp wraps{false};
constexpr Clamp clamps{true};
constexpr OpSel low{0};
constexpr OpSelHi high{7};
static_assert(semantics::v_dot2_i32_i16(bytes0, bytes1, 10, low, high, wraps) == static_cast<i32>(0xc0fc'c388));
static_assert(semantics::v_dot2_i32_i16(bytes0, bytes1, 0x7fff'ffff, low, high, clamps) == 0x40fc'c37d);
static_assert(semantics::v_dot2_i32_i16(least_halves, least_halves, 0, low, high, wraps) == least);
static_assert(semantics::v_dot2_i32_i16(least_halves, least_halves, 0, low, high, clamps) == 0x7fff'ffff);
static_assert(semantics::v_dot2_i32_i16(least_halves, least_halves, least, low, high, clamps) == 0);
static_assert(semantics::v_dot2_u32_u16(bytes0, bytes1, 10, low, high, wraps) == 0x417d'c388);
static_assert(semantics::v_dot2_u32_u16(~0U, ~0U, 0xffff'fff0, low, high, clamps) == ~0U);
// The high half of src0 twice, and the halves of src1 exchanged: 3 * 7 + 3 * 5.
static_assert(semantics::v_dot2_u32_u16(0x3'0002, 0x7'0005, 0, OpSel{3}, OpSelHi{1}, wraps) == 36);
static_assert(semantics::v_dot4_i32_i8(bytes0, bytes1, 10, wraps) == static_cast<i32>(0xffff'8107));
static_assert(semantics::v_dot4_i32_i8(bytes0, bytes1, 0x7fff'ffff, clamps) == 0x7fff'80fc);
static_assert(semantics::v_dot4_i32_i8(0x0101'0101, 0x0101'0101, 0x7fff'ffff, clamps) == 0x7fff'ffff);
static_assert(semantics::v_dot4_u32_u8(bytes0, bytes1, 10, wraps) == 0x8207);
static_assert(semantics::v_dot4_u32_u8(bytes0, bytes1, ~0U, clamps) == ~0U);
static_assert(semantics::v_dot8_i32_i4(bytes0, bytes1, 10, wraps) == static_cast<i32>(0xffff'ff97));
static_assert(semantics::v_dot8_i32_i4(~0U, ~0U, -16, clamps) == -8);
static_assert(semantics::v_dot8_u32_u4(bytes0, bytes1, 10, wraps) == 0xa7);
static_assert(semantics::v_dot8_u32_u4(~0U, ~0U, 0xffff'fff0, clamps) == ~0U);
static_assert(semantics::v_dot2c_i32_i16(bytes0, bytes1, Destination{10}, wraps) == static_cast<i32>(0xc0fc'c388));
static_assert(semantics::v_dot4c_i32_i8(bytes0, bytes1, Destination{10}, wraps) == static_cast<i32>(0xffff'8107));
static_assert(semantics::v_dot8c_i32_i4(bytes0, bytes1, Destination{10}, wraps) == static_cast<i32>(0xffff'ff97));

// Truth tables that the CDNA 4 ISA manual lists for V_BITOP3_B32, and those that select one source.
constexpr u32 first = 0xff00'f0f0;
constexpr u32 second = 0x0ff0'cccc;
constexpr u32 third = 0x3c3c'aaaa;
static_assert(semantics::v_bitop3_b32(first, second, 0, TruthTable{0x40}) == (first & second));
static_assert(semantics::v_bitop3_b32(first, second, 0, TruthTable{0x54}) == (first | second));
static_assert(semantics::v_bitop3_b32(first, second, 0, TruthTable{0x14}) == (first ^ second));
static_assert(semantics::v_bitop3_b32(first, second, 0, TruthTable{0x41}) == ~(first ^ second));
static_assert(semantics::v_bitop3_b32(first, 0, 0, TruthTable{0x01}) == ~first);
static_assert(semantics::v_bitop3_b32(first, second, third, TruthTable{0xea}) == ((first & second) | third));
static_assert(semantics::v_bitop3_b32(first, second, third, TruthTable{0xfe}) == (first | second | third));
static_assert(semantics::v_bitop3_b32(first, second, third, TruthTable{0x96}) == (first ^ second ^ third));
static_assert(semantics::v_bitop3_b32(first, second, third, TruthTable{0xf0}) == first);
static_assert(semantics::v_bitop3_b32(first, second, third, TruthTable{0xcc}) == second);
static_assert(semantics::v_bitop3_b32(first, second, third, TruthTable{0xaa}) == third);
static_assert(semantics::v_bitop3_b16(0xf0f0, 0xcccc, 0xaaaa, TruthTable{0x1d}) == 0x1d1d);
// The shift register of the manual: 197 is 0xc5.
static_assert(semantics::v_prng_b32(0x4000'0001) == 0x8000'0002);
static_assert(semantics::v_prng_b32(0x8000'0000) == 0xc5);
static_assert(semantics::v_prng_b32(0xffff'ffff) == 0xffff'ff3b);
static_assert(semantics::v_ashr_pk_i8_i32(-1024, 1000, 3) == 0x7d80);
static_assert(semantics::v_ashr_pk_i8_i32(-1025, 1024, 35) == 0x7f80);
static_assert(semantics::v_ashr_pk_i8_i32(-8, 7, 3) == 0x00ff);
static_assert(semantics::v_ashr_pk_u8_i32(-1, 0x7fff'ffff, 4) == 0xff00);
static_assert(semantics::v_ashr_pk_u8_i32(0xfe0, 0xff0, 36) == 0xfffe);

// The lane stride of loads to LDS, and the elements of a transposing load: "lane 16e+j of the rows" of AMD's rocRoller.
static_assert(semantics::lds_lane_stride(1) == 4 && semantics::lds_lane_stride(4) == 4);
static_assert(semantics::lds_lane_stride(12) == 16 && semantics::lds_lane_stride(16) == 16);
static_assert(semantics::lds_base_bits(Generation::cdna4, true) == 0x3ffff);
static_assert(semantics::lds_base_bits(Generation::cdna3, true) == 0xffff);
static_assert(semantics::lds_base_bits(Generation::cdna3, false) == 0x3fffc);
static_assert(semantics::transposed_bits(21, 33, 16, 8).lane == 25);
static_assert(semantics::transposed_bits(21, 33, 16, 8).first == 17);
static_assert(semantics::transposed_bits(5, 62, 8, 8).lane == 14);
static_assert(semantics::transposed_bits(5, 62, 8, 8).first == 46);
static_assert(semantics::transposed_bits(63, 7, 4, 8).lane == 49);
static_assert(semantics::transposed_bits(63, 7, 4, 8).first == 63);
static_assert(semantics::transposed_bits(18, 94, 6, 12).lane == 31);
static_assert(semantics::transposed_bits(18, 94, 6, 12).first == 16);

// Atomics of floats: comparisons of the manuals' pseudo-code, and denormal numbers by the kind of the instruction.
using Op = isa::AtomicOperation;
constexpr u32 nan = 0x7fc0'0000;
constexpr FloatMode flushing = nearest.flushing();
static_assert(float_atomic_result(Op::atomic_fmin, two.bits, one.bits, 0U, nearest) == one.bits);
static_assert(float_atomic_result(Op::atomic_fmax, two.bits, one.bits, 0U, nearest) == two.bits);
static_assert(float_atomic_result(Op::atomic_fmin, nan, one.bits, 0U, nearest) == nan);
static_assert(float_atomic_result(Op::atomic_fmax, one.bits, nan, 0U, nearest) == one.bits);
static_assert(float_atomic_result(Op::atomic_fmin, 0U, minus_zero.bits, 0U, nearest) == 0);
static_assert(float_atomic_result(Op::atomic_fmax, minus_zero.bits, 0U, 0U, nearest) == minus_zero.bits);
static_assert(float_atomic_result(Op::atomic_fcmpswap, minus_zero.bits, one.bits, 0U, nearest) == one.bits);
static_assert(float_atomic_result(Op::atomic_fcmpswap, nan, one.bits, nan, nearest) == nan);
static_assert(float_atomic_result(Op::atomic_fcmpst, two.bits, two.bits, one.bits, nearest) == one.bits);
static_assert(float_atomic_result(Op::atomic_fcmpst, least_denormal.bits, 0U, one.bits, flushing) == one.bits);
static_assert(float_atomic_result(Op::atomic_fcmpst, least_denormal.bits, 0U, one.bits, nearest) ==
              least_denormal.bits);
static_assert(float_atomic_result(Op::atomic_fadd, one.bits, two.bits, 0U, nearest) == three.bits);
static_assert(float_atomic_result(Op::atomic_fadd, greatest_denormal.bits, least_denormal.bits, 0U, flushing) == 0);
static_assert(float_atomic_result(Op::atomic_fadd, u64{0x3ff0'0000'0000'0000}, u64{0x3ff0'0000'0000'0000}, u64{0},
                                  nearest) == 0x4000'0000'0000'0000);
// 1 + 2 and 1.5 + 0.5; bfloat16: 1 + 2 and 1 + 2^-8, a tie.
static_assert(float_atomic_result(Op::atomic_pk_add_f16, 0x3e00'3c00U, 0x3800'4000U, 0U, nearest) == 0x4000'4200);
static_assert(float_atomic_result(Op::atomic_pk_add_bf16, 0x3f80'3f80U, 0x3b80'4000U, 0U, nearest) == 0x3f80'4040);
constexpr u32 keeps_f32 = 3U << 4;
constexpr u32 keeps_others = 3U << 6;
constexpr auto keeps = [](Insn insn, u32 mode) {
  const FloatMode settings = float_atomic_mode(row(insn).access, mode);
  return settings.keeps_denormal_inputs && settings.keeps_denormal_results;
};
static_assert(keeps(Insn::ds_add_f32, keeps_f32) && !keeps(Insn::ds_add_f32, keeps_others));
static_assert(keeps(Insn::ds_min_f64, keeps_others) && !keeps(Insn::ds_min_f64, keeps_f32));
static_assert(keeps(Insn::ds_pk_add_f16, keeps_others) && !keeps(Insn::ds_pk_add_f16, keeps_f32));
static_assert(keeps(Insn::ds_add_f64, 0) && keeps(Insn::ds_pk_add_bf16, 0));
static_assert(!keeps(Insn::global_atomic_add_f32_cdna1, ~0U) && !keeps(Insn::buffer_atomic_add_f32_cdna2, ~0U));
static_assert(keeps(Insn::global_atomic_add_f32, 0) && keeps(Insn::flat_atomic_max_f64, 0));

// Components of typed buffers: 1/255 and 51/255 as floats, the limits of SNORM, and floats of 11 and 10 bits.
using typed_buffers::loaded;
using typed_buffers::stored;
using enum NumberFormat;
static_assert(loaded<F32>(255, 8, unorm) == one.bits && loaded<F32>(0, 8, unorm) == 0);
static_assert(loaded<F32>(1, 8, unorm) == 0x3b80'8081 && loaded<F32>(51, 8, unorm) == 0x3e4c'cccd);
static_assert(loaded<F32>(0x80, 8, snorm) == 0xbf80'0000 && loaded<F32>(0x81, 8, snorm) == 0xbf80'0000);
static_assert(loaded<F16>(0xffff, 16, unorm) == 0x3c00 && loaded<F16>(1, 1, unorm) == 0x3c00);
static_assert(loaded<F32>(0xff, 8, sscaled) == 0xbf80'0000 && loaded<F32>(3, 2, uscaled) == three.bits);
static_assert(loaded<F32>(0x200, 10, sint) == 0xffff'fe00 && loaded<F16>(0x200, 10, sint) == 0xfe00);
static_assert(loaded<F32>(0x3c0, 11, floating) == one.bits && loaded<F32>(0x1e0, 10, floating) == one.bits);
static_assert(loaded<F32>(0x7c0, 11, floating) == infinity.bits && loaded<F32>(nan, 32, floating) == nan);
static_assert(stored<F32>(one.bits, 11, floating) == 0x3c0 && stored<F32>(one.bits, 10, floating) == 0x1e0);
static_assert(stored<F32>(0xbf80'0000, 11, floating) == 0 && stored<F32>(infinity.bits, 10, floating) == 0x3e0);
static_assert(stored<F32>(greatest.bits, 11, floating) == 0x7c0 && stored<F32>(nan, 11, floating) == 0x7e0);
static_assert(stored<F32>(two.bits, 8, unorm) == 0xff && stored<F32>(0xbf80'0000, 8, unorm) == 0);
static_assert(stored<F32>(0xbf80'0000, 8, snorm) == 0x81 && stored<F32>(0x3f00'0000, 8, unorm) == 0x80);
static_assert(stored<F32>(0x1ff, 8, NumberFormat::uint) == 0xff && stored<F32>(~0U, 8, sint) == 0xff);
static_assert(stored<F32>(0x3fff'ffff, 8, uscaled) == 1 && stored<F32>(minus_infinity.bits, 8, sscaled) == 0x80);
static_assert(element_layout(9).bits[0] == 10 && element_layout(9).bits[3] == 2 && element_layout(6).bits[2] == 10);
static_assert(is_legal(instruction_format(0x74)) && !is_legal(instruction_format(0x04)));
static_assert(is_legal(instruction_format(0x76)) && !is_legal(instruction_format(0x79)));
static_assert(!is_legal(instruction_format(0x0f)) && !is_legal(instruction_format(0x60 | 2)));

// The words of a descriptor are unsigned.
constexpr std::array<u32, 4> descriptor{0x89ab'cdef, 0x1234, 0, 0};
static_assert(semantics::buffer_resource(Generation::gcn1_4, descriptor).base == 0x1234'89ab'cdef);

}  // namespace salu::test::vector_constants
