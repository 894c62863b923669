; Launch data of a kernel: work-group ids, the dispatch packet, hidden arguments; and data referenced by its arguments:
; buffers, constants of the object, helper functions.

define amdgpu_kernel void @workgroup_ids(i32 %a) {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %z = call i32 @llvm.amdgcn.workgroup.id.z()
  %s = shl i32 %x, 12
  %t = add i32 %s, %y
  %u = xor i32 %z, %a
  call void @results(i32 %t, i32 %u)
  ret void
}

define amdgpu_kernel void @only_y() {
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %s = mul i32 %y, %y
  call void @results(i32 %y, i32 %s)
  ret void
}

define amdgpu_kernel void @block_counts(i32 %a) {
  %p = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %x = load i32, ptr addrspace(4) %p, align 8
  %p.y = getelementptr i8, ptr addrspace(4) %p, i64 4
  %y = load i32, ptr addrspace(4) %p.y, align 4
  %p.z = getelementptr i8, ptr addrspace(4) %p, i64 8
  %z = load i32, ptr addrspace(4) %p.z, align 8
  %s = shl i32 %x, 12
  %t = add i32 %s, %y
  %u = xor i32 %z, %a
  call void @results(i32 %t, i32 %u)
  ret void
}

; sizes and remainders are 16 bits each, read two at a time
define amdgpu_kernel void @hidden_sizes(i64 %a, i8 %b) {
  %p = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %p.size = getelementptr i8, ptr addrspace(4) %p, i64 12
  %size = load i32, ptr addrspace(4) %p.size, align 4
  %p.middle = getelementptr i8, ptr addrspace(4) %p, i64 16
  %middle = load i32, ptr addrspace(4) %p.middle, align 8
  %p.remainder = getelementptr i8, ptr addrspace(4) %p, i64 20
  %remainder = load i32, ptr addrspace(4) %p.remainder, align 4
  %p.dimensions = getelementptr i8, ptr addrspace(4) %p, i64 64
  %dimensions = load i16, ptr addrspace(4) %p.dimensions, align 8
  %d = zext i16 %dimensions to i32
  %a0 = trunc i64 %a to i32
  %b0 = sext i8 %b to i32
  %s = xor i32 %size, %a0
  %t = mul i32 %s, 3
  %u = add i32 %t, %d
  %v = mul i32 %middle, 5
  %w = add i32 %v, %remainder
  %x = xor i32 %w, %b0
  call void @results(i32 %u, i32 %x)
  ret void
}

; get_global_offset() + get_group_id() * get_local_size(), as in OpenCL
define amdgpu_kernel void @first_work_item(i32 %a) {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %p = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %p.size = getelementptr i8, ptr addrspace(4) %p, i64 12
  %sizes = load i32, ptr addrspace(4) %p.size, align 4
  %size = and i32 %sizes, 65535
  %p.offset = getelementptr i8, ptr addrspace(4) %p, i64 40
  %offset = load i64, ptr addrspace(4) %p.offset, align 8
  %o = trunc i64 %offset to i32
  %s = mul i32 %x, %size
  %t = add i32 %s, %o
  %u = sub i32 %t, %a
  call void @results(i32 %t, i32 %u)
  ret void
}

define amdgpu_kernel void @dispatch_packet(i32 %a) {
  %p = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %p.size = getelementptr i8, ptr addrspace(4) %p, i64 4
  %size = load i32, ptr addrspace(4) %p.size, align 4
  %p.z = getelementptr i8, ptr addrspace(4) %p, i64 8
  %z = load i16, ptr addrspace(4) %p.z, align 4
  %p.grid = getelementptr i8, ptr addrspace(4) %p, i64 12
  %grid.x = load i32, ptr addrspace(4) %p.grid, align 4
  %p.grid.y = getelementptr i8, ptr addrspace(4) %p, i64 16
  %grid.y = load i32, ptr addrspace(4) %p.grid.y, align 4
  %p.grid.z = getelementptr i8, ptr addrspace(4) %p, i64 20
  %grid.z = load i32, ptr addrspace(4) %p.grid.z, align 4
  %z1 = zext i16 %z to i32
  %s = xor i32 %size, %a
  %t = add i32 %s, %z1
  %u0 = mul i32 %grid.x, 5
  %u1 = add i32 %u0, %grid.y
  %u2 = mul i32 %u1, 7
  %u3 = add i32 %u2, %grid.z
  call void @results(i32 %t, i32 %u3)
  ret void
}

define amdgpu_kernel void @dispatch_id(i32 %a) {
  %id = call i64 @llvm.amdgcn.dispatch.id()
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %lo = trunc i64 %id to i32
  %h = lshr i64 %id, 32
  %hi = trunc i64 %h to i32
  %s = sub i32 %lo, %a
  %t = xor i32 %hi, %x
  call void @results(i32 %s, i32 %t)
  ret void
}

define amdgpu_kernel void @sum_of_constant_buffer(ptr addrspace(4) %table, i32 %count) {
entry:
  %n = and i32 %count, 31
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %d = shl i32 %s, 1
  %s1 = add i32 %d, %v
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  call void @results(i32 %s1, i32 %i1)
  ret void
}

; a read-only buffer in global memory
define amdgpu_kernel void @global_buffers(i16 %index, ptr addrspace(1) noalias readonly %first, ptr addrspace(1) noalias readonly %second) {
  %i = zext i16 %index to i64
  %j = and i64 %i, 63
  %p = getelementptr i32, ptr addrspace(1) %first, i64 %j
  %v = load i32, ptr addrspace(1) %p
  %k = and i32 %v, 31
  %q = getelementptr i64, ptr addrspace(1) %second, i32 %k
  %w = load i64, ptr addrspace(1) %q
  %lo = trunc i64 %w to i32
  %h = lshr i64 %w, 32
  %hi = trunc i64 %h to i32
  %s = xor i32 %lo, %v
  call void @results(i32 %s, i32 %hi)
  ret void
}

; a row of a matrix for each work-group
define amdgpu_kernel void @row_of_matrix(ptr addrspace(4) %matrix, ptr addrspace(4) %vector) {
entry:
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %row = and i32 %x, 7
  %start = getelementptr [8 x i32], ptr addrspace(4) %matrix, i32 %row
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr i32, ptr addrspace(4) %start, i32 %i
  %q = getelementptr i32, ptr addrspace(4) %vector, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %w = load i32, ptr addrspace(4) %q
  %m = mul i32 %v, %w
  %s1 = add i32 %s, %m
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 8
  br i1 %more, label %loop, label %done
done:
  call void @results(i32 %s1, i32 %row)
  ret void
}

@squares = internal unnamed_addr addrspace(4) constant [8 x i32] [i32 0, i32 1, i32 4, i32 9, i32 16, i32 25, i32 -36, i32 49], align 4
@visible = addrspace(4) constant [4 x i64] [i64 1234567890123, i64 -1, i64 81985529216486895, i64 5], align 8

define amdgpu_kernel void @constants_of_the_object(i8 %a, i32 %b) {
  %a1 = zext i8 %a to i32
  %i = and i32 %a1, 7
  %j = and i32 %b, 3
  %p = getelementptr [8 x i32], ptr addrspace(4) @squares, i32 0, i32 %i
  %q = getelementptr [4 x i64], ptr addrspace(4) @visible, i32 0, i32 %j
  %v = load i32, ptr addrspace(4) %p
  %w = load i64, ptr addrspace(4) %q
  %lo = trunc i64 %w to i32
  %h = lshr i64 %w, 32
  %hi = trunc i64 %h to i32
  %s = add i32 %v, %lo
  call void @results(i32 %s, i32 %hi)
  ret void
}

define internal void @calls.mix() noinline #0 {
  %x = call i32 @take_over()
  %s = mul i32 %x, 33
  %t = xor i32 %s, 85
  call void @hand_over(i32 %t)
  ret void
}

define amdgpu_kernel void @calls(i32 %a, i16 %b) #0 {
  %b1 = zext i16 %b to i32
  call void @hand_over(i32 %a)
  call void @calls.mix()
  %r = call i32 @take_over()
  call void @results(i32 %r, i32 %b1)
  ret void
}

; the helper reads a constant of the object
define internal void @calls_in_a_loop.step() noinline #0 {
  %x = call i32 @take_over()
  %i = and i32 %x, 7
  %p = getelementptr [8 x i32], ptr addrspace(4) @squares, i32 0, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %s = mul i32 %x, 5
  %t = add i32 %s, %v
  call void @hand_over(i32 %t)
  ret void
}

define amdgpu_kernel void @calls_in_a_loop(i32 %start, i32 %count) #0 {
entry:
  %n = and i32 %count, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ %start, %entry ], [ %s1, %loop ]
  call void @hand_over(i32 %s)
  call void @calls_in_a_loop.step()
  %s1 = call i32 @take_over()
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  call void @results(i32 %s1, i32 %i1)
  ret void
}

attributes #0 = { "amdgpu-no-dispatch-ptr" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-flat-scratch-init" "amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-implicitarg-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-dispatch-id" "amdgpu-no-lds-kernel-id" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" }
