; Buffer loads: outside the descriptor's size, dwords read as zero.
; %buffer is small and used with any offset; %wide has a large range, and offsets into it are kept small.

define amdgpu_ps i32 @buffer_dword(<4 x i32> inreg %buffer, i32 inreg %offset) {
  %o = and i32 %offset, -4
  %v = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %buffer, i32 %o, i32 0)
  ret i32 %v
}

define amdgpu_ps i32 @buffer_dword_near(<4 x i32> inreg %buffer, i32 inreg %offset) {
  %o = and i32 %offset, 124
  %v = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %buffer, i32 %o, i32 0)
  ret i32 %v
}

define amdgpu_ps { i32, i32 } @buffer_two_dwords(<4 x i32> inreg %buffer, i32 inreg %offset) {
  %o = and i32 %offset, 124
  %v = call <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32> %buffer, i32 %o, i32 0)
  %a = extractelement <2 x i32> %v, i32 0
  %b = extractelement <2 x i32> %v, i32 1
  %r0 = insertvalue { i32, i32 } undef, i32 %a, 0
  %r = insertvalue { i32, i32 } %r0, i32 %b, 1
  ret { i32, i32 } %r
}

define amdgpu_ps { i64, i64 } @buffer_four_dwords(<4 x i32> inreg %buffer, i32 inreg %offset) {
  %o = and i32 %offset, 124
  %v = call <4 x i32> @llvm.amdgcn.s.buffer.load.v4i32(<4 x i32> %buffer, i32 %o, i32 0)
  %w = bitcast <4 x i32> %v to <2 x i64>
  %a = extractelement <2 x i64> %w, i32 0
  %b = extractelement <2 x i64> %w, i32 1
  %r0 = insertvalue { i64, i64 } undef, i64 %a, 0
  %r = insertvalue { i64, i64 } %r0, i64 %b, 1
  ret { i64, i64 } %r
}

define amdgpu_ps { i32, i32 } @buffer_eight_dwords(<4 x i32> inreg %buffer, i32 inreg %offset) {
  %o = and i32 %offset, 124
  %v = call <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32> %buffer, i32 %o, i32 0)
  %a = extractelement <8 x i32> %v, i32 0
  %b = extractelement <8 x i32> %v, i32 3
  %c = extractelement <8 x i32> %v, i32 5
  %d = extractelement <8 x i32> %v, i32 7
  %s = sub i32 %a, %b
  %t = sub i32 %c, %d
  %r0 = insertvalue { i32, i32 } undef, i32 %s, 0
  %r = insertvalue { i32, i32 } %r0, i32 %t, 1
  ret { i32, i32 } %r
}

define amdgpu_ps i32 @buffer_sixteen_dwords(<4 x i32> inreg %buffer) {
  %v = call <16 x i32> @llvm.amdgcn.s.buffer.load.v16i32(<4 x i32> %buffer, i32 16, i32 0)
  %a = extractelement <16 x i32> %v, i32 0
  %b = extractelement <16 x i32> %v, i32 4
  %c = extractelement <16 x i32> %v, i32 9
  %d = extractelement <16 x i32> %v, i32 15
  %s = sub i32 %a, %b
  %t = xor i32 %s, %c
  %r = sub i32 %t, %d
  ret i32 %r
}

define amdgpu_ps i32 @buffer_constant_offsets(<4 x i32> inreg %wide) {
  %a = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %wide, i32 0, i32 0)
  %b = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %wide, i32 1020, i32 0)
  %c = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %wide, i32 1024, i32 0)
  %d = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %wide, i32 3996, i32 0)
  %s = sub i32 %a, %b
  %t = sub i32 %c, %d
  %r = xor i32 %s, %t
  ret i32 %r
}

define amdgpu_ps i32 @buffer_far_offsets(<4 x i32> inreg %wide) {
  %a = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %wide, i32 1048572, i32 0)
  %b = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %wide, i32 1048576, i32 0)
  %c = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %wide, i32 524288, i32 0)
  %s = sub i32 %a, %b
  %r = xor i32 %s, %c
  ret i32 %r
}

define amdgpu_ps i32 @buffer_register_and_immediate(<4 x i32> inreg %wide, i32 inreg %offset) {
  %o = and i32 %offset, 2044
  %further = add nuw nsw i32 %o, 1288
  %v = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %wide, i32 %further, i32 0)
  %w = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %wide, i32 %o, i32 0)
  %r = sub i32 %v, %w
  ret i32 %r
}

; the sum may be beyond the size even if neither part is
define amdgpu_ps i32 @buffer_register_and_immediate_bounds(<4 x i32> inreg %buffer, i32 inreg %offset) {
  %o = and i32 %offset, 1020
  %further = add nuw nsw i32 %o, 72
  %v = call <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32> %buffer, i32 %further, i32 0)
  %a = extractelement <2 x i32> %v, i32 0
  %b = extractelement <2 x i32> %v, i32 1
  %r = sub i32 %a, %b
  ret i32 %r
}

define amdgpu_ps i32 @buffer_sum(<4 x i32> inreg %buffer, i32 inreg %count) {
entry:
  %n = and i32 %count, 63
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %o = shl nuw nsw i32 %i, 2
  %v = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %buffer, i32 %o, i32 0)
  %d = shl i32 %s, 1
  %s1 = add i32 %d, %v
  %i1 = add nuw nsw i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %s1
}

; the descriptor is made here: dwords in one record of a structure
define amdgpu_ps i32 @buffer_made_here(ptr addrspace(4) inreg %table, i32 inreg %records, i32 inreg %offset) {
  %p = ptrtoint ptr addrspace(4) %table to i64
  %base = and i64 %p, 281474976710655
  %stride = or i64 %base, 3377699720527872
  %halves = bitcast i64 %stride to <2 x i32>
  %w0 = extractelement <2 x i32> %halves, i32 0
  %w1 = extractelement <2 x i32> %halves, i32 1
  %n = and i32 %records, 63
  %d0 = insertelement <4 x i32> undef, i32 %w0, i32 0
  %d1 = insertelement <4 x i32> %d0, i32 %w1, i32 1
  %d2 = insertelement <4 x i32> %d1, i32 %n, i32 2
  %d3 = insertelement <4 x i32> %d2, i32 159744, i32 3
  %o = and i32 %offset, 1020
  %v = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %d3, i32 %o, i32 0)
  ret i32 %v
}

; the value in a buffer is the index into memory
define amdgpu_ps i32 @buffer_then_table(<4 x i32> inreg %buffer, ptr addrspace(4) inreg %table, i32 inreg %offset) {
  %o = and i32 %offset, 252
  %v = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %buffer, i32 %o, i32 0)
  %i = and i32 %v, 1023
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %i
  %w = load i32, ptr addrspace(4) %p
  ret i32 %w
}
