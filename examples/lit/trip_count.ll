; The trace shows what ran, not only what came out: a loop of four rounds takes its branch three times.
;
; RUN: %llc -mtriple=amdgcn -mcpu=gfx900 -O2 %s -filetype=obj -o %t.o
; RUN: %salu dis %t.o | %filecheck %s --check-prefix=CODE
; RUN: %salu run %t.o --symbol triangle --set s0=4 --trace | %filecheck %s
;
; CODE-LABEL: triangle:
; CODE: [[LOOP:L[0-9]+]]:
; CODE-NOT: <vector
; CODE: s_cbranch_scc1 [[LOOP]]
;
; CHECK-COUNT-3: s_cbranch_scc1 {{.*}} scc=1 -> pc=
; CHECK: s_cbranch_scc1 {{.*}} scc=0
; CHECK-NOT: s_cbranch
; CHECK: returned
define amdgpu_ps i32 @triangle(i32 inreg %n) {
entry:
  br label %loop

loop:
  %left = phi i32 [ %n, %entry ], [ %less, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %more = add i32 %sum, %left
  %less = sub i32 %left, 1
  %done = icmp eq i32 %less, 0
  br i1 %done, label %exit, label %loop

exit:
  ret i32 %more
}
