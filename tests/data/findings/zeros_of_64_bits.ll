; kind: difference
; configurations: tahiti_sdag_O0 bonaire_gisel_O2 tonga_sdag_opt_O3
; S_FF1_I32_B64 of a value in vector registers becomes two V_FFBL_B32 and a V_ADD_CO_U32_e32 with an operand more, to clamp, which
; that instruction does not have: of zero it counts 31.
declare void @hand_over(i32, i32, i32, i32)

define amdgpu_ps void @zeros_of_64_bits(i32 inreg %a, i32 inreg %b) {
  %low = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 25)
  %high = call i32 @llvm.fshr.i32(i32 %b, i32 %b, i32 7)
  %high_part = zext i32 %high to i64
  %shifted = shl i64 %high_part, 32
  %low_part = zext i32 %low to i64
  %value = or i64 %shifted, %low_part
  %zeros = call i64 @llvm.cttz.i64(i64 %value, i1 false)
  %count = trunc i64 %zeros to i32
  call void @hand_over(i32 %count, i32 %low, i32 0, i32 0)
  ret void
}
