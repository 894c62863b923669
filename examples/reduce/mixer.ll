; One step of an audio mixer, as clang -O1 -fwrapv left it. `mix` takes a sample, a gain, a mode and a length in s0 to s3 and
; returns its result in s0. Nothing that it computes is undefined, whatever its arguments.

define amdgpu_ps i32 @checksum(i32 inreg %x, i32 inreg %n) {
entry:
  %and = and i32 %n, 15
  %cmp7.not = icmp eq i32 %and, 0
  br i1 %cmp7.not, label %done, label %for.body

done:
  %h.0.lcssa = phi i32 [ -2128831035, %entry ], [ %mul, %for.body ]
  ret i32 %h.0.lcssa

for.body:
  %i.010 = phi i32 [ %inc, %for.body ], [ 0, %entry ]
  %h.09 = phi i32 [ %mul, %for.body ], [ -2128831035, %entry ]
  %x.addr.08 = phi i32 [ %shr, %for.body ], [ %x, %entry ]
  %and1 = and i32 %x.addr.08, 255
  %xor = xor i32 %h.09, %and1
  %mul = mul i32 %xor, 16777619
  %shr = lshr i32 %x.addr.08, 2
  %inc = add i32 %i.010, 1
  %exitcond.not = icmp eq i32 %inc, %and
  br i1 %exitcond.not, label %done, label %for.body
}

define amdgpu_ps i32 @mix(i32 inreg %sample, i32 inreg %gain, i32 inreg %mode, i32 inreg %n) {
entry:
  %and = and i32 %n, 31
  br label %for.body

done:
  %and8 = and i32 %mode, 3
  switch i32 %and8, label %nowhere [
    i32 0, label %sw.bb
    i32 1, label %sw.bb12
    i32 2, label %sw.bb23
    i32 3, label %sw.default
  ]

for.body:
  %h.072 = phi i32 [ -1640531527, %entry ], [ %xor7, %for.body ]
  %acc.071 = phi i32 [ 0, %entry ], [ %add5, %for.body ]
  %prev.070 = phi i32 [ %sample, %entry ], [ %xor, %for.body ]
  %i.069 = phi i32 [ 0, %entry ], [ %add, %for.body ]
  %mul = mul i32 %i.069, -1640531535
  %xor = xor i32 %mul, %sample
  %sub = sub i32 %xor, %prev.070
  %cond = call i32 @llvm.abs.i32(i32 %sub, i1 false)
  %spec.store.select = call i32 @llvm.smin.i32(i32 %cond, i32 32767)
  %add = add i32 %i.069, 1
  %mul4 = mul i32 %spec.store.select, %add
  %add5 = add i32 %mul4, %acc.071
  %mul6 = mul i32 %h.072, 33
  %xor7 = xor i32 %mul6, %sub
  %exitcond.not = icmp eq i32 %i.069, %and
  br i1 %exitcond.not, label %done, label %for.body

sw.bb:
  %conv = sext i32 %add5 to i64
  %shl = shl i32 %gain, 17
  %conv9 = sext i32 %shl to i64
  %mul10 = mul i64 %conv, %conv9
  %shr = lshr i64 %mul10, 32
  %conv11 = trunc i64 %shr to i32
  br label %sw.epilog

sw.bb12:
  %cond19 = call i32 @llvm.abs.i32(i32 %add5, i1 false)
  %and20 = and i32 %gain, 255
  %mul21 = mul i32 %cond19, %and20
  br label %sw.epilog

sw.bb23:
  %shl24 = shl i32 %gain, 2
  %sub25 = sub i32 %add5, %shl24
  %shr26 = ashr i32 %sub25, 7
  %and27 = and i32 %sub25, 127
  %add28 = add i32 %shr26, %and27
  br label %sw.epilog

nowhere:
  unreachable

sw.default:
  %t0 = call i32 @llvm.ctpop.i32(i32 %add5)
  %mul30 = shl i32 %t0, 16
  %or = or i32 %gain, 1
  %t1 = call i32 @llvm.ctlz.i32(i32 %or, i1 false)
  %add31 = or i32 %mul30, %t1
  br label %sw.epilog

sw.epilog:
  %out.0 = phi i32 [ %add31, %sw.default ], [ %add28, %sw.bb23 ], [ %mul21, %sw.bb12 ], [ %conv11, %sw.bb ]
  %t2 = add i32 %out.0, -1000001
  %t3 = icmp ult i32 %t2, -2000001
  br i1 %t3, label %while.body, label %while.end

while.body:
  %h.174 = phi i32 [ %add36, %while.body ], [ %xor7, %sw.epilog ]
  %out.173 = phi i32 [ %div, %while.body ], [ %out.0, %sw.epilog ]
  %div = sdiv i32 %out.173, 2
  %add36 = add i32 %h.174, 3
  %t4 = add i32 %div, -1000001
  %t5 = icmp ult i32 %t4, -2000001
  br i1 %t5, label %while.body, label %while.end

while.end:
  %out.1.lcssa = phi i32 [ %out.0, %sw.epilog ], [ %div, %while.body ]
  %h.1.lcssa = phi i32 [ %xor7, %sw.epilog ], [ %add36, %while.body ]
  %and37 = and i32 %h.1.lcssa, 1
  %tobool.not = icmp eq i32 %and37, 0
  %and39 = and i32 %h.1.lcssa, 255
  %xor40 = select i1 %tobool.not, i32 0, i32 %and39
  %out.2 = xor i32 %xor40, %out.1.lcssa
  ret i32 %out.2
}

declare i32 @llvm.ctpop.i32(i32)

declare i32 @llvm.ctlz.i32(i32, i1)

declare i32 @llvm.abs.i32(i32, i1)

declare i32 @llvm.smin.i32(i32, i32)
