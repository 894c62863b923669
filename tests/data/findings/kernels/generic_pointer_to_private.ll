; llc: -mtriple=amdgcn-amd-amdhsa -mcpu=gfx803 -O2
; wrong: 19 22 23
; From code object version 5 on, the upper half of a generic pointer to private memory is loaded from the implicit arguments (GCN 1.1
; and 1.2). A function takes their address for 0.
define internal void @fill(ptr addrspace(5) %place, i32 %value) noinline {
  %generic = addrspacecast ptr addrspace(5) %place to ptr
  store volatile i32 %value, ptr %generic
  ret void
}
define amdgpu_kernel void @generic_pointer_to_private(ptr addrspace(1) %out, i32 %value) {
  %place = alloca i32, addrspace(5)
  call void @fill(ptr addrspace(5) %place, i32 %value)
  %left = load volatile i32, ptr addrspace(5) %place
  store i32 %left, ptr addrspace(1) %out
  ret void
}
