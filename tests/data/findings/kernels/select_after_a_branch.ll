; llc: -mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 -O2
; wrong: 19 22 23
; llvm/llvm-project#215745. The S_AND_B64 of a compare with EXEC sets SCC for two S_CSELECT_B32, and SIPreEmitPeephole removes it,
; as the branch reads VCC. They select by the carry of S_ADDC_U32.
define amdgpu_kernel void @select_after_a_branch(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %n, i64 %limit, i64 %stride) {
entry:
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %lane = zext i32 %tid to i64
  %inside = icmp ult i64 %lane, %limit
  br i1 %inside, label %outer, label %exit

outer:
  %k = phi i64 [ 1, %entry ], [ %k.next, %stored ]
  %empty = icmp slt i64 %n, %k
  %before = add i64 %k, -1
  %last = select i1 %empty, i64 %before, i64 %n
  br i1 %empty, label %stored, label %inner

inner:
  %r = phi i64 [ %k, %outer ], [ %r.next, %inner ]
  %sum = phi i32 [ 0, %outer ], [ %sum.next, %inner ]
  %index = add i64 %lane, %r
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %index
  %value = load i32, ptr addrspace(1) %from
  %sum.next = add i32 %sum, %value
  %r.next = add i64 %r, 1
  %done = icmp eq i64 %r, %last
  br i1 %done, label %stored, label %inner

stored:
  %result = phi i32 [ 0, %outer ], [ %sum.next, %inner ]
  %row = mul i64 %before, %stride
  %place = add i64 %row, %lane
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %place
  store i32 %result, ptr addrspace(1) %to
  %k.next = add i64 %k, 1
  %end = icmp sge i64 %k, %n
  br i1 %end, label %exit, label %outer

exit:
  ret void
}
