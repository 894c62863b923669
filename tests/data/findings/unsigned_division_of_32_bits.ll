; kind: difference
; configurations: tahiti_sdag_O0 gfx906_gisel_O2 gfx942_sdag_opt_O3
; at every level
; Before instruction selection the AMDGPU backend divides by way of floats where it thinks that both operands are small, and cuts the
; quotient off. It counts sign bits for that, which are ones here.
declare void @hand_over(i32, i32, i32, i32)

define amdgpu_ps void @unsigned_division_of_32_bits(i32 inreg %a, i32 inreg %b) {
  %left = shl i32 %a, 22
  %dividend = ashr i32 %left, 22
  %masked = and i32 %b, 16383
  %divisor = or i32 %masked, 1
  %quotient = udiv i32 %dividend, %divisor
  call void @hand_over(i32 %quotient, i32 0, i32 0, i32 0)
  ret void
}
