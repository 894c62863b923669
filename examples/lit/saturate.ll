; One function on two generations, at two levels, with both instruction selectors: always the same result.
;
; RUN: %llc -mtriple=amdgcn -mcpu=gfx900 -O0 -optimize-regalloc %s -filetype=obj -o %t.1.o
; RUN: %llc -mtriple=amdgcn -mcpu=gfx900 -O2 %s -filetype=obj -o %t.2.o
; RUN: %llc -mtriple=amdgcn -mcpu=tahiti -O2 -global-isel %s -filetype=obj -o %t.3.o
;
; The object names its processor. YAML is the format whose layout does not change. `returned` is the end of a function.
; RUN: %salu run %t.1.o --symbol add_saturate --set s0=0x7fffffff --set s1=1 --format yaml | %filecheck %s --check-prefix=HIGH
; RUN: %salu run %t.2.o --symbol add_saturate --set s0=0x7fffffff --set s1=1 --format yaml | %filecheck %s --check-prefix=HIGH
; RUN: %salu run %t.3.o --symbol add_saturate --set s0=0x7fffffff --set s1=1 --format yaml | %filecheck %s --check-prefix=HIGH
; RUN: %salu run %t.2.o --symbol add_saturate --set s0=-5 --set s1=7 --format yaml | %filecheck %s --check-prefix=PLAIN
;
; HIGH: stop: {reason: returned
; HIGH: s0: 0x7fffffff
;
; PLAIN: stop: {reason: returned
; PLAIN: s0: 0x00000002
define amdgpu_ps i32 @add_saturate(i32 inreg %a, i32 inreg %b) {
  %sum = add i32 %a, %b
  %differs_from_a = xor i32 %a, %sum
  %differs_from_b = xor i32 %b, %sum
  %differs_from_both = and i32 %differs_from_a, %differs_from_b
  %overflows = icmp slt i32 %differs_from_both, 0
  %sign = ashr i32 %sum, 31
  %limit = xor i32 %sign, -2147483648
  %result = select i1 %overflows, i32 %limit, i32 %sum
  ret i32 %result
}
