; A hash with a branch, a product and a loop of eight rounds.
define amdgpu_ps i32 @mix(i32 inreg %a, i32 inreg %b) {
entry:
  %negative = icmp slt i32 %a, 0
  br i1 %negative, label %turn, label %start
turn:
  %turned = sub i32 0, %a
  br label %start
start:
  %x = phi i32 [ %a, %entry ], [ %turned, %turn ]
  br label %round
round:
  %number = phi i32 [ 0, %start ], [ %following, %round ]
  %hash = phi i32 [ %b, %start ], [ %mixed, %round ]
  %product = mul i32 %hash, %x
  %sum = add i32 %product, %number
  %shifted = lshr i32 %sum, 3
  %mixed = xor i32 %sum, %shifted
  %following = add i32 %number, 1
  %done = icmp eq i32 %following, 8
  br i1 %done, label %exit, label %round
exit:
  ret i32 %mixed
}
