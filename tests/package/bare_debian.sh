#!/usr/bin/env bash
# The package for Debian, installed by apt-get on a system with only apt: the program runs, steps back, and has its
# manual.
set -Eeuo pipefail
trap 'echo "line $LINENO: this failed: $BASH_COMMAND"' ERR

bare=$SALU_SOURCE_DIR/build/bare-debian.tar # as scripts/test --extra has made it
packages=("$SALU_PACKAGES"/salu_*.deb)
[[ -f ${packages[0]} ]] || { echo "no package in $SALU_PACKAGES: the test package.debian makes it"; exit 1; }
((EUID == 0)) || { echo "a folder can be made the root of a program (chroot) by root only"; exit 1; }

place=$(mktemp -d)
trap 'rm -rf --one-file-system "$place"' EXIT
tar --numeric-owner -xf "$bare" -C "$place"
cp "${packages[0]}" "$place/root"
cp -L /etc/resolv.conf /etc/hosts "$place/etc"

inside() {
  chroot "$place" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 MANPAGER=cat DEBIAN_FRONTEND=noninteractive \
    sh -ec "$1"
}

# expect <text>... <printed text>: the printed text contains each of the texts.
expect() {
  local printed=${*: -1} text
  for text in "${@:1:$#-1}"; do
    [[ $printed == *"$text"* ]] || { printf "expected '%s' in:\n%s\n" "$text" "$printed"; exit 1; }
  done
}

if inside 'command -v salu python3 cmake g++'; then
  echo "this is not a bare Debian"
  exit 1
fi
inside 'apt-get update -q && apt-get install -q -y --no-install-recommends man-db /root/salu_*.deb' >"$place/log" 2>&1 ||
  { cat "$place/log"; exit 1; }

programs=/usr/share/doc/salu/programs
expect "end_program" "expectations hold" "$(inside "salu run --check $programs/fork_join.yaml")"
# At the end, all 64 lanes are active again. Six steps earlier, before the join that continues with `else`, the lanes that were last
# in `then` are active: the odd ones of 16.
expect "exec = 0xffffffffffffffff" "<outer_join>: s_cbranch_join s36" "exec = 0xaaaa" \
  "$(inside "printf 'continue\nprint/x exec\nreverse-stepi 6\nprint/x exec\n' | salu debug $programs/fork_join.yaml")"
expect "SALU(1)" "salu-run(1)" "EXIT STATUS" "$(inside 'man salu')"
expect "SALU-RUN(1)" "--trace-file FILE" "$(inside 'man salu-run')"
expect "libsalu.so.0 " "$(inside 'ldconfig -p')"
inside 'test -s /usr/share/bash-completion/completions/salu; test -s /usr/share/doc/salu/copyright'
# The tools for C are not installed, but the files of the package for them are, without paths of the build machine.
expect "-lsalu" "$(inside 'cat /usr/lib/pkgconfig/salu.pc')"
if inside "grep -rF '$SALU_SOURCE_DIR' /usr/lib/cmake/salu /usr/lib/pkgconfig/salu.pc"; then
  echo "the package names the folder that it was built in"
  exit 1
fi

inside 'apt-get purge -q -y salu' >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
left=$(inside 'find / -xdev -path /proc -prune -o -name "*salu*" -not -path "/root/*" -not -path "/var/*" -print')
[[ -z $left ]] || { printf 'left behind by apt-get purge:\n%s\n' "$left"; exit 1; }
