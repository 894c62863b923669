s_waitcnt vmcnt(63) & lgkmcnt(3)
s_waitcnt 0
s_getreg_b32 s1, hwreg(HW_REG_MODE, 28, 4)
s_setreg_b32 hwreg(29), s2
s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0x123
s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_EMIT_CUT, 1)
s_set_gpr_idx_on s0, gpr_idx(SRC0, SRC1, DST)
s_load_dwordx2 s[0:1], s[2:3], 0x10 glc
s_store_dword s1, s[2:3], s5 offset:0x8
s_call_b64 s[0:1], there
there: s_setpc_b64 s[0:1]
