; kind: difference
; configurations: tonga_sdag_O1 tonga_gisel_O2 tonga_sdag_opt_O3
; The literal is folded into V_SUB_U32 with clamp, which has no room for it on tonga, and the short encoding, which has, is chosen: it
; does not clamp.
declare void @hand_over(i32, i32, i32, i32)

define amdgpu_ps void @saturation_with_a_literal(i32 inreg %a) {
  %turned = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 25)
  %shifted = call i32 @llvm.fshl.i32(i32 %turned, i32 0, i32 %turned)
  %left = call i32 @llvm.usub.sat.i32(i32 100, i32 %shifted)
  call void @hand_over(i32 %left, i32 %shifted, i32 0, i32 0)
  ret void
}
