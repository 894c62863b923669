# shellcheck shell=bash
# Bare Debian systems: with nothing but apt, from where this machine gets its packages. For scripts/test, which sources
# common.sh before.

# The release of Debian that this machine has.
own_release() { (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-none}"); }

# make_bare_debian <release> <archive> <what is not tested without it>: makes build/<archive>, where that is possible.
make_bare_debian() {
  local release=$1 to=$salu_root/build/$2 what=$3 log
  log=${to%.tar}.log
  if [[ -f $to && -s $to ]] && ((EUID == 0)); then return; fi
  rm -rf "$to"
  if ((EUID != 0)); then
    say "not tested: $what (it needs root, for chroot)"
    return
  fi
  say "making build/$2"
  # Another release is in the same archives; the keys of a later one are in an up-to-date debian-archive-keyring.
  if apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    sort -u | sed -n "s/ $(own_release)/ $release/p" >"$log.sources" && [[ -s $log.sources ]] &&
    apt-config dump --format '%f "%v";%n' Acquire >"$log.conf" &&
    mmdebstrap --mode=root --format=tar --variant=apt --aptopt="$log.conf" "$release" "$to.new" - <"$log.sources" >"$log" 2>&1; then
    mv "$to.new" "$to"
  else
    if [[ -e $log ]]; then tail -n 5 "$log" >&2; fi
    say "not tested: $what: mmdebstrap could not make it from apt's sources (its last messages are above)"
  fi
  rm -f "$to.new" "$log.sources" "$log.conf"
}

# test_in_debian <release>: runs scripts/test in a bare Debian, on a copy of these sources. The compiler's cache is shared.
test_in_debian() {
  local release=$1 what="salu in a bare Debian ($1)" place=$salu_root/build/debian-$1 log=$salu_root/build/debian-$1.log
  local cache=${CCACHE_DIR:-$HOME/.cache/ccache} status=0
  make_bare_debian "$release" "bare-$release.tar" "$what"
  [[ -s $salu_root/build/bare-$release.tar ]] || return 0
  if ! unshare --mount --pid --fork true 2>/dev/null; then
    say "not tested: $what (unshare is not permitted here)"
    return
  fi
  rm -rf --one-file-system "$place"
  if ! {
    mkdir -p "$place/salu" "$place/root/.cache/ccache" "$cache" &&
      tar --numeric-owner -xf "$salu_root/build/bare-$release.tar" -C "$place" &&
      cp -L /etc/resolv.conf /etc/hosts "$place/etc" &&
      tar -C "$salu_root" --exclude=./build --exclude=./.git -cf - . | tar -xf - -C "$place/salu"
  }; then
    say "failed: $what: it could not be unpacked into $place"
    return 1
  fi
  say "running scripts/test in a bare Debian ($release); its output is in build/debian-$release.log"
  # The mounts and the processes end with the command.
  unshare --mount --pid --fork --kill-child bash -ec '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    mount --bind "$2" "$1/root/.cache/ccache"
    exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 CI="$3" /salu/scripts/test
  ' bash "$place" "$cache" "${CI:-}" </dev/null >"$log" 2>&1 || status=$?
  if ((status)); then tail -n 60 "$log" >&2; fi
  say "$(. "$place/etc/os-release" && printf '%s' "$PRETTY_NAME"), $(chroot "$place" c++ --version | head -n 1):" \
    "$(grep -a 'tests passed' "$log" || printf 'scripts/test ended with %s' "$status")"
  rm -rf --one-file-system "$place"
  return "$status"
}
