; kind: llc-19 timeout
; configurations: tonga_gisel_O1 gfx906_gisel_O2
; With GlobalISel llc never ends on llvm.ctlz of 2 to 31 bits, if zero is poison; of 16 bits, where there are instructions for them.
declare void @hand_over(i32, i32, i32, i32)

define amdgpu_ps void @leading_zeros_of_16_bits(i16 inreg %a) {
  %odd = or i16 %a, 1
  %count = call i16 @llvm.ctlz.i16(i16 %odd, i1 true)
  %result = zext i16 %count to i32
  call void @hand_over(i32 %result, i32 0, i32 0, i32 0)
  ret void
}
