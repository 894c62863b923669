; kind: difference
; configurations: gfx906_sdag_O2 gfx906_gisel_O2 gfx942_sdag_opt_O3
; Before instruction selection the AMDGPU backend divides 32 bits in place of 64 where it thinks that the upper ones are zero. It
; counts sign bits for that, which are ones here.
declare void @hand_over(i32, i32, i32, i32)

define amdgpu_ps void @unsigned_division_of_64_bits(i32 inreg %a) {
  %dividend = sext i32 %a to i64
  %quotient = udiv i64 %dividend, 524287
  %lower = trunc i64 %quotient to i32
  %shifted = lshr i64 %quotient, 32
  %upper = trunc i64 %shifted to i32
  call void @hand_over(i32 %lower, i32 %upper, i32 0, i32 0)
  ret void
}
