# shellcheck shell=bash
# Bare Debian systems: only apt, from the archives that this machine uses. For scripts/test, after common.sh.

# Prints the Debian release of this machine.
own_release() { (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-none}"); }

# make_bare_debian <release> <archive> <test>: creates build/<archive> if that is possible, and prints which test cannot run
# otherwise.
make_bare_debian() {
  local release=$1 to=$salu_root/build/$2 what=$3 log
  log=${to%.tar}.log
  if [[ -f $to && -s $to ]] && ((EUID == 0)); then return; fi
  rm -rf "$to"
  if ((EUID != 0)); then
    say "not tested: $what (chroot needs root)"
    return
  fi
  say "making build/$2"
  # Other releases are in the same archives. The keys of a later one are in an up-to-date debian-archive-keyring.
  if apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    sort -u | sed -n "s/ $(own_release)/ $release/p" >"$log.sources" && [[ -s $log.sources ]] &&
    apt-config dump --format '%f "%v";%n' Acquire >"$log.conf" &&
    mmdebstrap --mode=root --format=tar --variant=apt --aptopt="$log.conf" "$release" "$to.new" - <"$log.sources" >"$log" 2>&1; then
    mv "$to.new" "$to"
  else
    if [[ -e $log ]]; then tail -n 5 "$log" >&2; fi
    say "not tested: $what: mmdebstrap failed with the sources of apt (its last messages are above)"
  fi
  rm -f "$to.new" "$log.sources" "$log.conf"
}

# test_in_debian <release>: runs scripts/test in a bare Debian, with a copy of these sources and the ccache of this user.
test_in_debian() {
  local release=$1 what="salu in a bare Debian ($1)" place=$salu_root/build/debian-$1 log=$salu_root/build/debian-$1.log
  local cache=${CCACHE_DIR:-$HOME/.cache/ccache} status=0
  make_bare_debian "$release" "bare-$release.tar" "$what"
  [[ -s $salu_root/build/bare-$release.tar ]] || return 0
  if ! unshare --mount --pid --fork true 2>/dev/null; then
    say "not tested: $what (unshare is not permitted)"
    return
  fi
  rm -rf --one-file-system "$place"
  if ! {
    mkdir -p "$place/salu" "$place/root/.cache/ccache" "$cache" &&
      tar --numeric-owner -xf "$salu_root/build/bare-$release.tar" -C "$place" &&
      cp -L /etc/resolv.conf /etc/hosts "$place/etc" &&
      tar -C "$salu_root" --exclude=./build --exclude=./.git -cf - . | tar -xf - -C "$place/salu"
  }; then
    say "failed: $what: could not unpack it into $place"
    return 1
  fi
  say "running scripts/test in a bare Debian ($release); its output is in build/debian-$release.log"
  # The mounts and the processes end when the command ends.
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
