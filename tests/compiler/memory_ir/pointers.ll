; Pointers that are loaded and followed.

%node = type { ptr addrspace(4), i32, i32 }
%tree_node = type { ptr addrspace(4), ptr addrspace(4), i32, i32 }

define amdgpu_ps i32 @row_element(ptr addrspace(4) inreg %rows, i32 inreg %row, i32 inreg %column) {
  %i = and i32 %row, 15
  %j = and i32 %column, 15
  %p = getelementptr ptr addrspace(4), ptr addrspace(4) %rows, i32 %i
  %r = load ptr addrspace(4), ptr addrspace(4) %p
  %q = getelementptr i32, ptr addrspace(4) %r, i32 %j
  %v = load i32, ptr addrspace(4) %q
  ret i32 %v
}

define amdgpu_ps i64 @pointer_difference(ptr addrspace(4) inreg %rows, i32 inreg %row, i32 inreg %other) {
  %i = and i32 %row, 15
  %j = and i32 %other, 15
  %p = getelementptr ptr addrspace(4), ptr addrspace(4) %rows, i32 %i
  %q = getelementptr ptr addrspace(4), ptr addrspace(4) %rows, i32 %j
  %r = load ptr addrspace(4), ptr addrspace(4) %p
  %s = load ptr addrspace(4), ptr addrspace(4) %q
  %r.i = ptrtoint ptr addrspace(4) %r to i64
  %s.i = ptrtoint ptr addrspace(4) %s to i64
  %d = sub i64 %r.i, %s.i
  ret i64 %d
}

define amdgpu_ps i32 @sum_of_column(ptr addrspace(4) inreg %rows, i32 inreg %column, i32 inreg %count) {
entry:
  %j = and i32 %column, 15
  %n = and i32 %count, 15
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %p = getelementptr ptr addrspace(4), ptr addrspace(4) %rows, i32 %i
  %r = load ptr addrspace(4), ptr addrspace(4) %p
  %q = getelementptr i32, ptr addrspace(4) %r, i32 %j
  %v = load i32, ptr addrspace(4) %q
  %s1 = add i32 %s, %v
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %s1
}

define amdgpu_ps { i32, i32 } @list_sum_and_length(ptr addrspace(4) inreg %list) {
entry:
  br label %loop
loop:
  %n = phi ptr addrspace(4) [ %list, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %c = phi i32 [ 0, %entry ], [ %c1, %loop ]
  %p = getelementptr %node, ptr addrspace(4) %n, i32 0, i32 1
  %v = load i32, ptr addrspace(4) %p
  %s1 = add i32 %s, %v
  %c1 = add i32 %c, 1
  %next = load ptr addrspace(4), ptr addrspace(4) %n
  %end = icmp eq ptr addrspace(4) %next, null
  br i1 %end, label %done, label %loop
done:
  %r0 = insertvalue { i32, i32 } undef, i32 %s1, 0
  %r = insertvalue { i32, i32 } %r0, i32 %c1, 1
  ret { i32, i32 } %r
}

define amdgpu_ps i32 @list_maximum(ptr addrspace(4) inreg %list) {
entry:
  br label %loop
loop:
  %n = phi ptr addrspace(4) [ %list, %entry ], [ %next, %loop ]
  %m = phi i32 [ -2147483648, %entry ], [ %m1, %loop ]
  %p = getelementptr %node, ptr addrspace(4) %n, i32 0, i32 1
  %v = load i32, ptr addrspace(4) %p
  %m1 = call i32 @llvm.smax.i32(i32 %m, i32 %v)
  %next = load ptr addrspace(4), ptr addrspace(4) %n
  %end = icmp eq ptr addrspace(4) %next, null
  br i1 %end, label %done, label %loop
done:
  ret i32 %m1
}

; the first node whose value has the bit, or -1
define amdgpu_ps i32 @list_find(ptr addrspace(4) inreg %list, i32 inreg %bits) {
entry:
  br label %loop
loop:
  %n = phi ptr addrspace(4) [ %list, %entry ], [ %next, %on ]
  %end = icmp eq ptr addrspace(4) %n, null
  br i1 %end, label %missing, label %look
look:
  %p = getelementptr %node, ptr addrspace(4) %n, i32 0, i32 1
  %v = load i32, ptr addrspace(4) %p
  %hit = and i32 %v, %bits
  %found = icmp eq i32 %hit, %bits
  br i1 %found, label %there, label %on
on:
  %next = load ptr addrspace(4), ptr addrspace(4) %n
  br label %loop
there:
  %q = getelementptr %node, ptr addrspace(4) %n, i32 0, i32 2
  %w = load i32, ptr addrspace(4) %q
  ret i32 %w
missing:
  ret i32 -1
}

define amdgpu_ps i32 @tree_lookup(ptr addrspace(4) inreg %tree, i32 inreg %key) {
entry:
  br label %loop
loop:
  %n = phi ptr addrspace(4) [ %tree, %entry ], [ %child, %descend ]
  %depth = phi i32 [ 0, %entry ], [ %depth1, %descend ]
  %end = icmp eq ptr addrspace(4) %n, null
  br i1 %end, label %missing, label %compare
compare:
  %p = getelementptr %tree_node, ptr addrspace(4) %n, i32 0, i32 2
  %k = load i32, ptr addrspace(4) %p
  %equal = icmp eq i32 %k, %key
  br i1 %equal, label %found, label %descend
descend:
  %less = icmp ult i32 %key, %k
  %side = select i1 %less, i32 0, i32 1
  %q = getelementptr ptr addrspace(4), ptr addrspace(4) %n, i32 %side
  %child = load ptr addrspace(4), ptr addrspace(4) %q
  %depth1 = add i32 %depth, 1
  br label %loop
found:
  %r = getelementptr %tree_node, ptr addrspace(4) %n, i32 0, i32 3
  %v = load i32, ptr addrspace(4) %r
  ret i32 %v
missing:
  %negated = sub i32 -1, %depth
  ret i32 %negated
}

; the way down is taken from the bits of the path
define amdgpu_ps i32 @tree_path(ptr addrspace(4) inreg %tree, i32 inreg %path) {
entry:
  br label %loop
loop:
  %n = phi ptr addrspace(4) [ %tree, %entry ], [ %child, %loop ]
  %bits = phi i32 [ %path, %entry ], [ %bits1, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
  %p = getelementptr %tree_node, ptr addrspace(4) %n, i32 0, i32 3
  %v = load i32, ptr addrspace(4) %p
  %doubled = shl i32 %sum, 1
  %sum1 = xor i32 %doubled, %v
  %side = and i32 %bits, 1
  %bits1 = lshr i32 %bits, 1
  %q = getelementptr ptr addrspace(4), ptr addrspace(4) %n, i32 %side
  %child = load ptr addrspace(4), ptr addrspace(4) %q
  %end = icmp eq ptr addrspace(4) %child, null
  br i1 %end, label %done, label %loop
done:
  ret i32 %sum1
}

; links as indices into the table, a fixed number of them
define amdgpu_ps i32 @follow_indices(ptr addrspace(4) inreg %table, i32 inreg %start, i32 inreg %count) {
entry:
  %n = and i32 %count, 31
  br label %loop
loop:
  %at = phi i32 [ %start, %entry ], [ %v, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %masked = and i32 %at, 1023
  %p = getelementptr i32, ptr addrspace(4) %table, i32 %masked
  %v = load i32, ptr addrspace(4) %p
  %i1 = add i32 %i, 1
  %more = icmp ule i32 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %v
}

; a call needs scratch memory, whose address an amdgpu_ps function gets from its linker
define internal amdgpu_gfx void @sum_by_call.element(ptr addrspace(4) inreg %p) noinline {
  %v = load i32, ptr addrspace(4) %p
  call void @hand_over(i32 %v)
  ret void
}

define amdgpu_ps i32 @sum_by_call(ptr addrspace(4) inreg %table) {
  call amdgpu_gfx void @sum_by_call.element(ptr addrspace(4) inreg %table)
  %r = call i32 @take_over()
  ret i32 %r
}
