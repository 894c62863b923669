; smooth.c for the scalar unit. Made by
;   clang-19 --target=amdgcn-amd-amdpal -mcpu=gfx900 -nogpulib -O2 -gline-tables-only -fno-discard-value-names -emit-llvm -S smooth.c
; and `define amdgpu_ps` with `inreg` arguments in place of C's calling convention, so that arguments and result are in SGPRs. The objects:
;   llc-19 -mcpu=gfx900 -O2 -global-isel=0 -filetype=obj smooth.ll -o smooth_sdag.o
;   llc-19 -mcpu=gfx900 -O2 -global-isel=1 -filetype=obj smooth.ll -o smooth_gisel.o
source_filename = "smooth.c"
target triple = "amdgcn-amd-amdpal"

define amdgpu_ps i64 @smooth(i64 inreg %state, i32 inreg %first, i32 inreg %second, i32 inreg %third) !dbg !8 {
entry:
  %conv.i = sext i32 %first to i64, !dbg !11
  %sub.i = sub nsw i64 %conv.i, %state, !dbg !14
  %shl.i.i = shl i64 %sub.i, 24, !dbg !15
  %shr.i = ashr i64 %shl.i.i, 26, !dbg !18
  %add.i = add nsw i64 %shr.i, %state, !dbg !19
  %conv.i5 = sext i32 %second to i64, !dbg !20
  %sub.i6 = sub i64 %conv.i5, %add.i, !dbg !22
  %shl.i.i7 = shl i64 %sub.i6, 24, !dbg !23
  %shr.i8 = ashr i64 %shl.i.i7, 26, !dbg !25
  %add.i9 = add i64 %shr.i8, %add.i, !dbg !26
  %conv.i12 = sext i32 %third to i64, !dbg !27
  %sub.i13 = sub i64 %conv.i12, %add.i9, !dbg !29
  %shl.i.i14 = shl i64 %sub.i13, 24, !dbg !30
  %shr.i15 = ashr i64 %shl.i.i14, 26, !dbg !32
  %add.i16 = add i64 %shr.i15, %add.i9, !dbg !33
  %shl.i3.i17 = shl i64 %add.i16, 24, !dbg !34
  %shr.i4.i18 = ashr exact i64 %shl.i3.i17, 24, !dbg !36
  ret i64 %shr.i4.i18, !dbg !37
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4, !5, !6}
!llvm.ident = !{!7}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "smooth.c", directory: "examples/miscompilation", checksumkind: CSK_MD5, checksum: "ef12bddc40fb5d739721693e35c13348")
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{i32 1, !"wchar_size", i32 4}
!6 = !{i32 8, !"PIC Level", i32 2}
!7 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!8 = distinct !DISubprogram(name: "smooth", scope: !1, file: !1, line: 12, type: !9, scopeLine: 12, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!9 = !DISubroutineType(types: !10)
!10 = !{}
!11 = !DILocation(line: 8, column: 28, scope: !12, inlinedAt: !13)
!12 = distinct !DISubprogram(name: "step", scope: !1, file: !1, line: 7, type: !9, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = distinct !DILocation(line: 13, column: 11, scope: !8)
!14 = !DILocation(line: 8, column: 35, scope: !12, inlinedAt: !13)
!15 = !DILocation(line: 3, column: 48, scope: !16, inlinedAt: !17)
!16 = distinct !DISubprogram(name: "wrap40", scope: !1, file: !1, line: 2, type: !9, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = distinct !DILocation(line: 8, column: 21, scope: !12, inlinedAt: !13)
!18 = !DILocation(line: 9, column: 37, scope: !12, inlinedAt: !13)
!19 = !DILocation(line: 9, column: 23, scope: !12, inlinedAt: !13)
!20 = !DILocation(line: 8, column: 28, scope: !12, inlinedAt: !21)
!21 = distinct !DILocation(line: 14, column: 11, scope: !8)
!22 = !DILocation(line: 8, column: 35, scope: !12, inlinedAt: !21)
!23 = !DILocation(line: 3, column: 48, scope: !16, inlinedAt: !24)
!24 = distinct !DILocation(line: 8, column: 21, scope: !12, inlinedAt: !21)
!25 = !DILocation(line: 9, column: 37, scope: !12, inlinedAt: !21)
!26 = !DILocation(line: 9, column: 23, scope: !12, inlinedAt: !21)
!27 = !DILocation(line: 8, column: 28, scope: !12, inlinedAt: !28)
!28 = distinct !DILocation(line: 15, column: 10, scope: !8)
!29 = !DILocation(line: 8, column: 35, scope: !12, inlinedAt: !28)
!30 = !DILocation(line: 3, column: 48, scope: !16, inlinedAt: !31)
!31 = distinct !DILocation(line: 8, column: 21, scope: !12, inlinedAt: !28)
!32 = !DILocation(line: 9, column: 37, scope: !12, inlinedAt: !28)
!33 = !DILocation(line: 9, column: 23, scope: !12, inlinedAt: !28)
!34 = !DILocation(line: 3, column: 48, scope: !16, inlinedAt: !35)
!35 = distinct !DILocation(line: 9, column: 10, scope: !12, inlinedAt: !28)
!36 = !DILocation(line: 4, column: 24, scope: !16, inlinedAt: !35)
!37 = !DILocation(line: 15, column: 3, scope: !8)
