 .amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"
 .text
 .globl start
 .type start,@function
start: .p2align 8,,16
 .balignl 16, 0x12345678
 .fill 2, 2, 0xbf80
 .space 8, 0xff
 .zero 4
 .quad start, 0x123456789
 .float 1.5, -0x1p-3
 .double 2.5
 .pushsection .rodata, "a"
ro: .byte 1, 2
 .popsection
 .section .text.more
 .amdhsa_kernel start
  .amdhsa_next_free_sgpr 4
 .end_amdhsa_kernel
 .set n, 1
 .equ n, n+1
 .equiv once, n
 .cfi_startproc
# 1 "file.s"
 s_endpgm
 .size start, .-start
