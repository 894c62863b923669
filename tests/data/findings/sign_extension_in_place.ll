; kind: difference
; configurations: tahiti_gisel_O1 gfx906_gisel_O2 gfx942_gisel_opt_O3
; GlobalISel selects the sign extension of more than 32 of 64 bits as S_BFE_I64 of a pair of registers whose upper half it never
; writes.
declare void @hand_over(i32, i32, i32, i32)

define amdgpu_ps void @sign_extension_in_place(i64 inreg %a, i64 inreg %b) {
  %sum = add i64 %a, %b
  %shifted = shl i64 %sum, 5
  %extended = ashr i64 %shifted, 5
  %upper = lshr i64 %extended, 32
  %result = trunc i64 %upper to i32
  call void @hand_over(i32 %result, i32 0, i32 0, i32 0)
  ret void
}
