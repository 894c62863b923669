; llc: -mtriple=amdgcn-amd-amdhsa -mcpu=gfx803 -O2
; wrong: 19 22 23
; llvm/llvm-project#221212. M0, which limits LDS accesses before GFX9, is set before each of them. SIFixSGPRCopies keeps the first
; of these instructions alone, as it does not see that a call writes M0.
@shared = internal addrspace(3) global [64 x i32] poison

define internal void @changes_m0() noinline {
  call void asm sideeffect "s_mov_b32 m0, 0", ""()
  ret void
}

define amdgpu_kernel void @m0_after_a_call(ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr [64 x i32], ptr addrspace(3) @shared, i32 0, i32 %lane
  store i32 %lane, ptr addrspace(3) %place
  call void @changes_m0()
  %value = load i32, ptr addrspace(3) %place
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %value, ptr addrspace(1) %to
  ret void
}
