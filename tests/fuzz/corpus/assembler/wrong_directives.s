.byte 1
.macro m
.p2align 99
.long 1/0, start*2, 0x1ffffffff
.fill 3, 1, 2
.popsection
.set x
.equiv start, 1
.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
.nothing
start: .float 1e400
s_branch start+2
s_branch start+0x40000
s_sleep 0x10000
s_mov_b32 s0, start@got
.amdhsa_kernel k
