; llc: -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -O2 -global-isel
; wrong: 19 22
; llvm/llvm-project#203928. GlobalISel gives a phi of two constants a scalar register although lanes part in the branch.
define amdgpu_kernel void @constants_of_two_branches(ptr addrspace(1) %out) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %odd = trunc i32 %lane to i1
  br i1 %odd, label %then, label %else
then:
  br label %end
else:
  br label %end
end:
  %value = phi i32 [ 5, %then ], [ 9, %else ]
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %value, ptr addrspace(1) %to
  ret void
}
