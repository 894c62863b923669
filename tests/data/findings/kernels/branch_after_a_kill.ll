; llc: -mtriple=amdgcn-mesa-mesa3d -mcpu=gfx900 -O2
; wrong: 19 22 23
; llvm/llvm-project#193143. The compare of the branch sets SCC before llvm.amdgcn.kill, which becomes two S_ANDN2_B64. The branch reads
; the SCC of the second.
define amdgpu_ps void @branch_after_a_kill(ptr addrspace(1) inreg %out, i32 inreg %y, float inreg %x, float %z) {
  %sum = fadd float %x, %z
  %positive = fcmp olt float 0.0, %sum
  %chosen.float = select i1 %positive, float -1.0, float 0.0
  %alive = fcmp olt float %chosen.float, 0.0
  %chosen = icmp eq i32 %y, 0
  call void @llvm.amdgcn.kill(i1 %alive)
  br i1 %chosen, label %end, label %second
second:
  store volatile i32 2, ptr addrspace(1) %out
  br label %end
end:
  %v = phi float [ %chosen.float, %0 ], [ 4.0, %second ]
  %c = fcmp oeq float %v, 0.0
  br i1 %c, label %third, label %fourth
third:
  store volatile i32 3, ptr addrspace(1) %out
  br label %fourth
fourth:
  ret void
}
