# shellcheck shell=bash
# Shared by scripts/run and scripts/test, which source it. Everything here speaks on standard error only.

salu_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# What these scripts exit with when salu could not be built; salu's own exit codes are smaller.
readonly setup_failed=70

say() { printf '%s\n' "$*" >&2; }

die() {
  say "scripts/$(basename "$0"): $*"
  exit "$setup_failed"
}

have() { command -v "$1" >/dev/null 2>&1; }

# Prints the C++ compiler that CMake would take, or nothing.
find_compiler() {
  local candidate
  for candidate in ${CXX:+"$CXX"} c++ g++ clang++; do
    if have "$candidate"; then
      printf '%s' "$candidate"
      return
    fi
  done
}

# missing_headers <header>...: those that the compiler cannot find; without a compiler, those that are not in the usual places.
missing_headers() {
  local compiler header
  compiler=$(find_compiler)
  if [[ -z $compiler ]]; then
    for header in "$@"; do
      [[ -e /usr/include/$header || -e /usr/local/include/$header ]] || printf '%s\n' "$header"
    done
    return
  fi
  for header in "$@"; do
    printf '#if !__has_include(<%s>)\nmissing %s\n#endif\n' "$header" "$header"
  done | "$compiler" -std=c++20 -E -P -x c++ - 2>/dev/null | sed -n 's/^missing //p'
}

# A requirement is "command:<name>:<package>", "header:<path>:<package>" or "file:<path>:<package>". Names what is looked
# for, not the package: who has built a library or a tool themselves needs no package.
packages_for_missing() {
  local requirement kind name package
  local -A package_of=()
  local headers=()
  for requirement in "$@"; do
    IFS=: read -r kind name package <<<"$requirement"
    case $kind in
      command) have "$name" || printf '%s\n' "$package" ;;
      file) [[ -e $name ]] || printf '%s\n' "$package" ;;
      header)
        headers+=("$name")
        package_of[$name]=$package
        ;;
    esac
  done
  if ((${#headers[@]})); then
    while read -r name; do
      printf '%s\n' "${package_of[$name]}"
    done < <(missing_headers "${headers[@]}")
  fi
}

package_lists_are_new=false

# install_packages <package>...: through apt-get, as root or with sudo.
install_packages() {
  (($#)) || return 0
  local as_root=()
  if ! have apt-get; then
    die "these Debian packages, or what they contain, are missing: $*
There is no apt-get here to install them with: install their equivalents and start again."
  fi
  if ((EUID != 0)); then
    have sudo || die "these packages are missing: $*
Installing them needs root, and there is no sudo here. As root: apt-get install $*"
    as_root=(sudo)
  fi
  say "installing: $*"
  local log
  log=$(mktemp)
  if ! {
    { $package_lists_are_new || "${as_root[@]}" apt-get update -q -o DPkg::Lock::Timeout=120; } &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        -o DPkg::Lock::Timeout=120 "$@"
  } </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "apt-get could not install: $* (its messages are above)"
  fi
  rm -f "$log"
  package_lists_are_new=true
}

# require <requirement>...: installs what is missing, then makes sure that it is there.
require() {
  local missing still
  readarray -t missing < <(packages_for_missing "$@" | sort -u)
  ((${#missing[@]})) || return 0
  install_packages "${missing[@]}"
  hash -r
  readarray -t still < <(packages_for_missing "$@" | sort -u)
  ((${#still[@]} == 0)) || die "still missing after the installation of: ${still[*]}"
}

# What it takes to build and run salu itself.
build_requirements() {
  if [[ -z $(find_compiler) ]]; then printf '%s\n' command:g++:g++; fi
  printf '%s\n' \
    command:cmake:cmake \
    command:ninja:ninja-build \
    command:pkg-config:pkg-config \
    header:vector:g++ \
    header:yaml-cpp/yaml.h:libyaml-cpp-dev \
    header:fmt/core.h:libfmt-dev \
    header:spdlog/spdlog.h:libspdlog-dev \
    header:CLI/CLI.hpp:libcli11-dev \
    header:nlohmann/json.hpp:nlohmann-json3-dev \
    header:gelf.h:libelf-dev \
    header:elfutils/libdw.h:libdw-dev \
    header:histedit.h:libedit-dev
}

# has_configuration <preset>: was build/<preset> configured by these scripts, and for the clone where it is now?
has_configuration() {
  local folder=$salu_root/build/$1 root=
  [[ -e $folder/build.ninja && -e $folder/.configured ]] || return 1
  read -r root <"$folder/.configured"
  [[ $root == "$salu_root" ]]
}

# configure <preset> [cmake argument...]: makes build/<preset>; does nothing when it is there with these settings.
# In continuous integration, which sets CI=true, warnings are errors.
configure() {
  local preset=$1
  shift
  if [[ ${CI:-} == true ]]; then set -- "$@" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON; fi
  local folder=$salu_root/build/$preset wanted fresh=()
  wanted=$(printf '%s\n' "$salu_root" "$*" && cksum <"$salu_root/CMakePresets.json")
  if has_configuration "$preset"; then
    if [[ $(<"$folder/.configured") == "$wanted" ]]; then return; fi
  elif [[ -e $folder ]]; then
    fresh=(--fresh)
  fi
  say "configuring build/$preset"
  mkdir -p "$folder"
  rm -f "$folder/.configured"
  local log=$folder/configure.log
  if ! (cd "$salu_root" && cmake --preset "$preset" "${fresh[@]}" "$@") </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    die "cmake could not configure build/$preset (its messages are above)"
  fi
  printf '%s\n' "$wanted" >"$folder/.configured"
}

# build <preset> [target...]: silent when there is nothing to do.
build() {
  local preset=$1
  shift
  ninja -C "$salu_root/build/$preset" "$@" </dev/null 2>&1 |
    sed -u -e '/^ninja: Entering directory/d' -e '/^ninja: no work to do/d' -e '/Re-checking globbed directories/d' >&2 ||
    die "the build in build/$preset failed (the compiler's messages are above)"
}

# Two scripts at once wait for each other instead of building into the same folder. unlock before anything that runs long.
lock() {
  mkdir -p "$salu_root/build"
  exec 9>"$salu_root/build/.lock"
  if have flock; then flock 9; fi
}

unlock() { exec 9>&-; }
