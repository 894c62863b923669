; A kernel of vector and memory instructions, with a divergent branch: for the colours of what salu does not execute.
@shared = internal addrspace(3) global [64 x float] poison

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare <4 x float> @llvm.amdgcn.raw.buffer.load.v4f32(<4 x i32>, i32, i32, i32)
declare float @llvm.fma.f32(float, float, float)

define amdgpu_kernel void @blend(ptr addrspace(1) %in, ptr addrspace(1) %out, <4 x i32> inreg %resource, double %scale, float %limit) {
entry:
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %lane
  %value = load float, ptr addrspace(1) %from
  %slot = getelementptr [64 x float], ptr addrspace(3) @shared, i32 0, i32 %lane
  store float %value, ptr addrspace(3) %slot
  call void @llvm.amdgcn.s.barrier()
  %large = fcmp ogt float %value, %limit
  br i1 %large, label %then, label %join

then:
  %offset = shl i32 %lane, 4
  %row = call <4 x float> @llvm.amdgcn.raw.buffer.load.v4f32(<4 x i32> %resource, i32 %offset, i32 0, i32 1)
  %first = extractelement <4 x float> %row, i32 0
  %other = load float, ptr addrspace(3) %slot
  %negative = fneg float %other
  %blended = call float @llvm.fma.f32(float %first, float %negative, float 2.5)
  %wide = fpext float %blended to double
  %scaled = fmul double %wide, %scale
  %narrow = fptrunc double %scaled to float
  br label %join

join:
  %result = phi float [ %value, %entry ], [ %narrow, %then ]
  %to = getelementptr float, ptr addrspace(1) %out, i32 %lane
  store float %result, ptr addrspace(1) %to
  %old = atomicrmw add ptr addrspace(1) %out, i32 %lane seq_cst
  ret void
}
