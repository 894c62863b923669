; llc: -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -O2 -global-isel
; wrong: 19 22
; GlobalISel keeps a ballot in scalar registers. Lanes that have left the loop read that of the last turn.
define amdgpu_kernel void @ballot_of_an_earlier_turn(ptr addrspace(1) %out) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %above = icmp ugt i32 %lane, %i
  %ballot = call i64 @llvm.amdgcn.ballot.i64(i1 %above)
  %i.next = add i32 %i, 1
  %leaves = icmp uge i32 %i, %lane
  br i1 %leaves, label %exit, label %loop
exit:
  %to = getelementptr i64, ptr addrspace(1) %out, i32 %lane
  store i64 %ballot, ptr addrspace(1) %to
  ret void
}
