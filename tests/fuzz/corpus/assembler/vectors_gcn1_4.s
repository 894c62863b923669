buffer_load_dword v0, off, s[0:3], s33 offset:32
buffer_load_sbyte v2, off, s[0:3], s33 offset:24
buffer_load_sshort v1, v1, s[0:3], 0 offen
buffer_load_ubyte v1, v1, s[0:3], 0 offen
buffer_load_ushort v1, v1, s[0:3], 0 offen
buffer_store_byte v0, v1, s[0:3], 0 offen
buffer_store_dword v1, off, s[0:3], s33 offset:32
buffer_store_short v0, v1, s[0:3], 0 offen
global_load_dword v1, v[1:2], off
global_load_dwordx2 v[4:5], v[2:3], off
global_load_dwordx3 v[0:2], v[4:5], off
global_load_dwordx4 v[0:3], v[0:1], off
global_store_dword v[2:3], v4, off
global_store_dwordx2 v[3:4], v[0:1], off
global_store_dwordx3 v[3:4], v[0:2], off
global_store_dwordx4 v[8:9], v[4:7], off
v_add3_u32 v0, v1, v4, -1
v_add_co_u32_e32 v3, vcc, s2, v3
v_add_co_u32_e64 v1, s[4:5], v1, v4
v_add_lshl_u32 v4, s4, v1, v4
v_add_u16_e32 v2, 1, v1
v_add_u16_e64 v0, v0, s4
v_add_u16_sdwa v2, v3, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1
v_add_u32_e32 v0, s6, v0
v_add_u32_e64 v1, v1, s4
v_add_u32_sdwa v2, v15, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD
v_addc_co_u32_e32 v4, vcc, v1, v4, vcc
v_addc_co_u32_e64 v3, s[4:5], v2, v3, s[4:5]
v_alignbit_b32 v0, v0, v0, s4
v_and_b32_e32 v2, 1, v3
v_and_b32_e64 v1, v1, s4
v_and_b32_sdwa v4, v0, s0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
v_and_or_b32 v2, s16, 6, v5
v_ashrrev_i32_e32 v1, v12, v2
v_ashrrev_i32_e64 v2, v0, v2
v_ashrrev_i32_sdwa v10, v15, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_0
v_ashrrev_i64 v[0:1], s4, v[0:1]
v_bcnt_u32_b32 v0, v3, 0
v_bfe_i32 v0, v0, 0, 16
v_bfe_u32 v0, v0, v1, 4
v_bfi_b32 v0, v0, v4, v5
v_bfm_b32 v1, v1, v2
v_bfrev_b32_e32 v4, v5
v_bfrev_b32_e64 v2, v2
v_cmp_eq_u16_e32 vcc, 0, v4
v_cmp_eq_u16_e64 s[6:7], v1, s4
v_cmp_eq_u16_sdwa s[0:1], v4, v28 src0_sel:BYTE_0 src1_sel:DWORD
v_cmp_eq_u32_e32 vcc, 1, v3
v_cmp_eq_u32_e64 s[4:5], v1, s4
v_cmp_eq_u64_e32 vcc, 1, v[0:1]
v_cmp_eq_u64_e64 s[6:7], v[2:3], s[4:5]
v_cmp_ge_f32_e64 s[8:9], |v2|, |v3|
v_cmp_ge_i32_e64 s[4:5], v1, v2
v_cmp_ge_u32_e32 vcc, s14, v6
v_cmp_ge_u32_e64 s[4:5], v1, v2
v_cmp_ge_u64_e32 vcc, v[2:3], v[8:9]
v_cmp_gt_i16_e32 vcc, v10, v1
v_cmp_gt_i16_e64 s[0:1], v0, v9
v_cmp_gt_i16_sdwa s[4:5], v2, v0 src0_sel:WORD_1 src1_sel:DWORD
v_cmp_gt_i32_e32 vcc, 4, v2
v_cmp_gt_i32_e64 s[4:5], v1, s4
v_cmp_gt_i64_e32 vcc, 0, v[3:4]
v_cmp_gt_i64_e64 s[4:5], v[1:2], s[4:5]
v_cmp_gt_u16_sdwa s[12:13], v20, v22 src0_sel:BYTE_0 src1_sel:BYTE_0
v_cmp_gt_u32_e32 vcc, s15, v8
v_cmp_gt_u32_e64 s[6:7], v1, v2
v_cmp_gt_u64_e32 vcc, v[0:1], v[4:5]
v_cmp_gt_u64_e64 s[4:5], v[1:2], v[3:4]
v_cmp_le_i16_e32 vcc, v0, v9
v_cmp_le_u32_e32 vcc, s17, v8
v_cmp_le_u32_e64 s[4:5], v1, v2
v_cmp_le_u64_e32 vcc, s[4:5], v[2:3]
v_cmp_lt_i32_e32 vcc, 4, v6
v_cmp_lt_i32_e64 s[6:7], v1, s4
v_cmp_lt_i64_e32 vcc, -1, v[0:1]
v_cmp_lt_i64_e64 s[10:11], v[3:4], s[10:11]
v_cmp_lt_u16_sdwa s[20:21], v18, v19 src0_sel:BYTE_0 src1_sel:BYTE_0
v_cmp_lt_u32_e32 vcc, s14, v7
v_cmp_lt_u32_e64 s[6:7], v1, v2
v_cmp_lt_u64_e64 s[4:5], v[1:2], v[3:4]
v_cmp_ne_u16_e64 s[4:5], v1, s4
v_cmp_ne_u16_sdwa s[0:1], v2, v12 src0_sel:BYTE_0 src1_sel:DWORD
v_cmp_ne_u32_e32 vcc, 0, v3
v_cmp_ne_u32_e64 s[6:7], v1, s6
v_cmp_ne_u32_sdwa vcc, v4, v3 src0_sel:WORD_0 src1_sel:DWORD
v_cmp_ne_u64_e32 vcc, -1, v[0:1]
v_cmp_ne_u64_e64 s[8:9], v[1:2], s[4:5]
v_cndmask_b32_e32 v0, 3, v2, vcc
v_cndmask_b32_e64 v1, v1, v2, s[6:7]
v_cvt_f32_i32_e64 v2, v2
v_cvt_f32_u32_e32 v2, v1
v_cvt_f32_u32_e64 v4, v2
v_cvt_f32_u32_sdwa v9, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
v_cvt_f32_ubyte0_e32 v5, v7
v_cvt_i32_f32_e64 v0, v0
v_cvt_u32_f32_e32 v2, v2
v_cvt_u32_f32_e64 v0, v2
v_ffbh_u32_e32 v2, v4
v_ffbh_u32_e64 v1, v0
v_ffbh_u32_sdwa v13, v13 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD
v_ffbl_b32_e32 v5, v4
v_ffbl_b32_e64 v0, v0
v_ffbl_b32_sdwa v14, v4 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0
v_lshl_add_u32 v3, v3, 3, v3
v_lshl_or_b32 v5, v2, s7, v5
v_lshlrev_b16_e32 v7, 8, v7
v_lshlrev_b32_e32 v1, 3, v0
v_lshlrev_b32_e64 v1, v0, v1
v_lshlrev_b32_sdwa v1, v14, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD
v_lshlrev_b64 v[5:6], s4, v[4:5]
v_lshrrev_b16_e32 v3, 1, v3
v_lshrrev_b32_e32 v3, 5, v3
v_lshrrev_b32_e64 v2, s4, v2
v_lshrrev_b32_sdwa v9, v14, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
v_lshrrev_b64 v[7:8], 24, v[0:1]
v_mac_f32_e32 v9, 0, v6
v_mac_f32_e64 v0, v2, s5
v_mad_f32 v2, -v2, v3, v4
v_mad_i32_i24 v15, v17, v13, v15
v_mad_u32_u24 v2, v5, 33, v2
v_mad_u64_u32 v[0:1], s[4:5], v0, s4, 1
v_madmk_f32 v0, v1, 0x4f800000, v0
v_max_i32_e32 v0, v0, v1
v_max_i32_sdwa v12, sext(v4), v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD
v_max_u32_e32 v1, v3, v1
v_max_u32_sdwa v6, v5, v7 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:DWORD
v_min3_u32 v15, v15, s2, v2
v_min_i32_e32 v10, v0, v1
v_min_u32_e32 v5, v7, v8
v_min_u32_e64 v1, v1, v3
v_mov_b32_e32 v1, v0
v_mul_f32_e32 v2, 0x4f7ffffe, v2
v_mul_f32_e64 v0, v4, v0
v_mul_hi_i32 v1, v2, s7
v_mul_hi_u32 v2, v1, s4
v_mul_i32_i24_e32 v0, v11, v10
v_mul_i32_i24_sdwa v15, sext(v4), sext(v3) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:WORD_0
v_mul_lo_u16_e32 v6, v6, v7
v_mul_lo_u16_sdwa v1, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
v_mul_lo_u32 v2, v2, s4
v_mul_u32_u24_e32 v3, 0x1f4, v3
v_mul_u32_u24_sdwa v3, v4, s0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:DWORD
v_not_b32_e32 v0, v0
v_or3_b32 v3, v2, v3, v4
v_or_b32_e32 v0, v0, v4
v_or_b32_e64 v1, v1, s6
v_or_b32_sdwa v3, v3, v7 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD
v_perm_b32 v10, v0, v0, s4
v_rcp_f32_e32 v0, v0
v_rcp_f32_e64 v0, v3
v_rcp_iflag_f32_e32 v2, v2
v_readfirstlane_b32 s0, v11
v_readlane_b32 s4, v0, 3
v_sub_co_u32_e32 v2, vcc, v2, v8
v_sub_co_u32_e64 v0, s[4:5], v0, v3
v_sub_u16_e32 v1, v0, v1
v_sub_u16_sdwa v3, v4, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1
v_sub_u32_e32 v3, v1, v3
v_sub_u32_e64 v1, v1, v2
v_sub_u32_sdwa v12, v1, sext(v4) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
v_subb_co_u32_e32 v3, vcc, v3, v9, vcc
v_subb_co_u32_e64 v2, s[4:5], v1, v2, s[4:5]
v_subbrev_co_u32_e32 v12, vcc, 0, v10, vcc
v_subbrev_co_u32_e64 v11, s[0:1], 0, v11, s[0:1]
v_subrev_co_u32_e32 v11, vcc, 10, v0
v_subrev_u32_e32 v9, 48, v12
v_trunc_f32_e32 v8, v8
v_trunc_f32_e64 v2, v0
v_writelane_b32 v1, s12, 0
v_xor_b32_e32 v2, s18, v2
v_xor_b32_e64 v0, v0, v1
v_xor_b32_sdwa v16, v1, v18 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
