; Kernel arguments of every scalar type, vectors, structures and arrays, read from the kernarg segment. Each kernel ends
; with what it computed from them.

%pair = type { i32, i64 }
%mixed = type { i8, i16, i32, [3 x i16], i64 }

define amdgpu_kernel void @integers(i8 %a, i16 %b, i32 %c, i64 %d) {
  %a1 = sext i8 %a to i32
  %b1 = zext i16 %b to i32
  %s = sub i32 %a1, %b1
  %t = xor i32 %s, %c
  %t1 = sext i32 %t to i64
  %u = add i64 %t1, %d
  %lo = trunc i64 %u to i32
  %h = lshr i64 %u, 32
  %hi = trunc i64 %h to i32
  call void @results(i32 %lo, i32 %hi)
  ret void
}

define amdgpu_kernel void @packed_integers(i8 %a, i8 %b, i8 %c, i16 %d, i8 %e, i64 %f, i16 %g, i8 %h, i32 %i) {
  %a1 = zext i8 %a to i32
  %b1 = sext i8 %b to i32
  %c1 = zext i8 %c to i32
  %d1 = sext i16 %d to i32
  %e1 = sext i8 %e to i32
  %g1 = zext i16 %g to i32
  %h1 = zext i8 %h to i32
  %f1 = trunc i64 %f to i32
  %s0 = sub i32 %a1, %b1
  %s1 = mul i32 %s0, 3
  %s2 = add i32 %s1, %c1
  %s3 = mul i32 %s2, 5
  %s4 = xor i32 %s3, %d1
  %s5 = mul i32 %s4, 7
  %s6 = sub i32 %s5, %e1
  %t0 = xor i32 %f1, %g1
  %t1 = mul i32 %t0, 9
  %t2 = add i32 %t1, %h1
  %t3 = sub i32 %t2, %i
  call void @results(i32 %s6, i32 %t3)
  ret void
}

define amdgpu_kernel void @condition(i1 %choice, i32 %a, i32 %b, i1 %negate) {
  %s = select i1 %choice, i32 %a, i32 %b
  %n = sub i32 0, %s
  %r = select i1 %negate, i32 %n, i32 %s
  call void @results(i32 %r, i32 %s)
  ret void
}

define amdgpu_kernel void @floats(half %a, float %b, double %c, <2 x i16> %d) {
  %a1 = bitcast half %a to i16
  %a2 = zext i16 %a1 to i32
  %b1 = bitcast float %b to i32
  %c1 = bitcast double %c to i64
  %c2 = trunc i64 %c1 to i32
  %h = lshr i64 %c1, 32
  %c3 = trunc i64 %h to i32
  %d1 = extractelement <2 x i16> %d, i32 1
  %d2 = sext i16 %d1 to i32
  %s = add i32 %a2, %b1
  %t = xor i32 %s, %c2
  %u = sub i32 %c3, %d2
  call void @results(i32 %t, i32 %u)
  ret void
}

define amdgpu_kernel void @vectors(<2 x i32> %a, i32 %b, <4 x i32> %c, <3 x i32> %d, <2 x i64> %e) {
  %a0 = extractelement <2 x i32> %a, i32 0
  %a1 = extractelement <2 x i32> %a, i32 1
  %c0 = extractelement <4 x i32> %c, i32 0
  %c3 = extractelement <4 x i32> %c, i32 3
  %d1 = extractelement <3 x i32> %d, i32 1
  %d2 = extractelement <3 x i32> %d, i32 2
  %e1 = extractelement <2 x i64> %e, i32 1
  %e2 = trunc i64 %e1 to i32
  %s0 = sub i32 %a0, %b
  %s1 = xor i32 %s0, %c3
  %s2 = sub i32 %s1, %d1
  %t0 = sub i32 %a1, %c0
  %t1 = xor i32 %t0, %d2
  %t2 = sub i32 %t1, %e2
  call void @results(i32 %s2, i32 %t2)
  ret void
}

define amdgpu_kernel void @wide_vectors(i32 %a, <8 x i32> %b, <16 x i32> %c) {
  %b0 = extractelement <8 x i32> %b, i32 0
  %b7 = extractelement <8 x i32> %b, i32 7
  %c1 = extractelement <16 x i32> %c, i32 1
  %c15 = extractelement <16 x i32> %c, i32 15
  %s = sub i32 %b0, %c15
  %t = sub i32 %b7, %c1
  %u = xor i32 %t, %a
  call void @results(i32 %s, i32 %u)
  ret void
}

define amdgpu_kernel void @structure(i32 %a, %pair %p, i32 %b) {
  %x = extractvalue %pair %p, 0
  %y = extractvalue %pair %p, 1
  %y0 = trunc i64 %y to i32
  %h = lshr i64 %y, 32
  %y1 = trunc i64 %h to i32
  %s = add i32 %a, %x
  %t = sub i32 %s, %y0
  %u = xor i32 %y1, %b
  call void @results(i32 %t, i32 %u)
  ret void
}

; a structure as HIP passes it
define amdgpu_kernel void @structure_by_reference(i8 %a, ptr addrspace(4) byref(%mixed) align 8 %p, i16 %b, ptr addrspace(4) byref(%pair) align 8 %q) {
  %p.int = getelementptr %mixed, ptr addrspace(4) %p, i32 0, i32 2
  %p.wide = getelementptr %mixed, ptr addrspace(4) %p, i32 0, i32 4
  %q.wide = getelementptr %pair, ptr addrspace(4) %q, i32 0, i32 1
  %x = load i32, ptr addrspace(4) %p.int
  %y = load i64, ptr addrspace(4) %p.wide
  %z = load i64, ptr addrspace(4) %q.wide
  %a1 = sext i8 %a to i32
  %b1 = zext i16 %b to i32
  %w = sub i64 %y, %z
  %w0 = trunc i64 %w to i32
  %h = lshr i64 %w, 32
  %w1 = trunc i64 %h to i32
  %s = add i32 %x, %a1
  %t = xor i32 %s, %w0
  %u = add i32 %w1, %b1
  call void @results(i32 %t, i32 %u)
  ret void
}

define amdgpu_kernel void @arrays([5 x i32] %a, [2 x i64] %b, i8 %c) {
  %a0 = extractvalue [5 x i32] %a, 0
  %a4 = extractvalue [5 x i32] %a, 4
  %b1 = extractvalue [2 x i64] %b, 1
  %b2 = trunc i64 %b1 to i32
  %c1 = sext i8 %c to i32
  %s = sub i32 %a0, %b2
  %t = add i32 %a4, %c1
  call void @results(i32 %s, i32 %t)
  ret void
}

; an element selected by another argument
define amdgpu_kernel void @array_by_reference(ptr addrspace(4) byref([16 x i32]) align 4 %a, i32 %index) {
  %i = and i32 %index, 15
  %p = getelementptr [16 x i32], ptr addrspace(4) %a, i32 0, i32 %i
  %v = load i32, ptr addrspace(4) %p
  call void @results(i32 %v, i32 %i)
  ret void
}

define amdgpu_kernel void @many_arguments(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g, i32 %h, i32 %i, i32 %j, i32 %k, i32 %l, i32 %m, i32 %n, i32 %o, i32 %p, i64 %q, i64 %r, i32 %s, i16 %t) {
  %x0 = sub i32 %a, %b
  %x1 = xor i32 %x0, %c
  %x2 = sub i32 %x1, %d
  %x3 = xor i32 %x2, %e
  %x4 = sub i32 %x3, %f
  %x5 = xor i32 %x4, %g
  %x6 = sub i32 %x5, %h
  %x7 = xor i32 %x6, %i
  %x8 = sub i32 %x7, %j
  %y0 = sub i32 %k, %l
  %y1 = xor i32 %y0, %m
  %y2 = sub i32 %y1, %n
  %y3 = xor i32 %y2, %o
  %y4 = sub i32 %y3, %p
  %w = sub i64 %q, %r
  %w0 = trunc i64 %w to i32
  %y5 = xor i32 %y4, %w0
  %y6 = sub i32 %y5, %s
  %t1 = zext i16 %t to i32
  %y7 = sub i32 %y6, %t1
  call void @results(i32 %x8, i32 %y7)
  ret void
}

; CDNA 2 and 3 have these in SGPRs before the first instruction
define amdgpu_kernel void @preloaded(i32 inreg %a, i64 inreg %b, ptr addrspace(4) inreg %table, i32 inreg %c, i16 %d) {
  %v = load i32, ptr addrspace(4) %table
  %b0 = trunc i64 %b to i32
  %h = lshr i64 %b, 32
  %b1 = trunc i64 %h to i32
  %d1 = zext i16 %d to i32
  %s = add i32 %a, %v
  %t = xor i32 %s, %b0
  %u = sub i32 %b1, %c
  %w = add i32 %u, %d1
  call void @results(i32 %t, i32 %w)
  ret void
}

define amdgpu_kernel void @kernarg_segment(i32 %a, i64 %b, i32 %c) {
  %p = call ptr addrspace(4) @llvm.amdgcn.kernarg.segment.ptr()
  %q = getelementptr i8, ptr addrspace(4) %p, i64 8
  %v = load i64, ptr addrspace(4) %q, align 8
  %w = sub i64 %v, %b
  %w0 = trunc i64 %w to i32
  %s = add i32 %w0, %a
  call void @results(i32 %s, i32 %c)
  ret void
}

define amdgpu_kernel void @chosen_by_switch(i8 %how, i32 %a, i32 %b) {
entry:
  switch i8 %how, label %other [
    i8 0, label %add
    i8 1, label %subtract
    i8 -1, label %multiply
    i8 127, label %shift
  ]
add:
  %r0 = add i32 %a, %b
  br label %done
subtract:
  %r1 = sub i32 %a, %b
  br label %done
multiply:
  %r2 = mul i32 %a, %b
  br label %done
shift:
  %n = and i32 %b, 31
  %r3 = lshr i32 %a, %n
  br label %done
other:
  br label %done
done:
  %r = phi i32 [ %r0, %add ], [ %r1, %subtract ], [ %r2, %multiply ], [ %r3, %shift ], [ %a, %other ]
  call void @results(i32 %r, i32 %b)
  ret void
}
