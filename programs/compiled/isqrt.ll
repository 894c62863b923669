; Integer square root, bit by bit. Compiled with
;   llc-19 -mtriple=amdgcn-amd-amdpal -mcpu=gfx900 -O2 -filetype=obj isqrt.ll -o isqrt.o
define amdgpu_ps i32 @isqrt(i32 inreg %n) {
entry:
  br label %loop

loop:
  %bit = phi i32 [ 1073741824, %entry ], [ %next_bit, %loop ]
  %rest = phi i32 [ %n, %entry ], [ %next_rest, %loop ]
  %root = phi i32 [ 0, %entry ], [ %next_root, %loop ]
  %trial = add i32 %root, %bit
  %fits = icmp uge i32 %rest, %trial
  %less = sub i32 %rest, %trial
  %next_rest = select i1 %fits, i32 %less, i32 %rest
  %half = lshr i32 %root, 1
  %with_bit = add i32 %half, %bit
  %next_root = select i1 %fits, i32 %with_bit, i32 %half
  %next_bit = lshr i32 %bit, 2
  %done = icmp eq i32 %next_bit, 0
  br i1 %done, label %exit, label %loop

exit:
  ret i32 %next_root
}
