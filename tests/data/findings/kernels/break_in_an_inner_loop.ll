; llc: -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -O0
; wrong: 19
; llvm/llvm-project#118081. The condition of the outer loop is computed in the inner one. llvm.amdgcn.if.break is put there as well, and
; keeps the lanes of the last turn of the inner loop alone.
define amdgpu_kernel void @break_in_an_inner_loop(ptr addrspace(1) %out) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %limit = and i32 %lane, 7
  %turns = and i32 %lane, 3
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %i.next, %inner ]
  %i.next = add i32 %i, 1
  %leaves = icmp uge i32 %k, %limit
  %last = icmp uge i32 %i, %turns
  br i1 %last, label %latch, label %inner
latch:
  %k.next = add i32 %k, 1
  br i1 %leaves, label %exit, label %outer
exit:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %k, ptr addrspace(1) %to
  ret void
}
