; kind: difference
; configurations: tahiti_gisel_O1 gfx906_gisel_O2 gfx942_gisel_O3
; GlobalISel makes two loads of it, and shifts the upper part left by 32 in an integer of 32 bits, as only that much is used: the
; shift has no defined value, and -1 is what becomes of the sum.
declare void @hand_over(i32, i32, i32, i32)

define amdgpu_ps void @load_of_48_bits(ptr addrspace(4) inreg %table) {
  %value = load i48, ptr addrspace(4) %table, align 4
  %result = trunc i48 %value to i32
  call void @hand_over(i32 %result, i32 0, i32 0, i32 0)
  ret void
}
