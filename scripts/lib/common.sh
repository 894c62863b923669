# shellcheck shell=bash
# Functions for scripts/run, scripts/test and scripts/playground. All of their messages go to standard error.

salu_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# The exit code of these scripts if salu cannot be built. The exit codes of salu are smaller.
readonly setup_failed=70

say() { printf '%s\n' "$*" >&2; }

die() {
  say "scripts/$(basename "$0"): $*"
  exit "$setup_failed"
}

have() { command -v "$1" >/dev/null 2>&1; }

# Prints the C++ compiler that CMake would use; nothing if no compiler is installed.
find_compiler() {
  local candidate
  for candidate in ${CXX:+"$CXX"} c++ g++ clang++; do
    if have "$candidate"; then
      printf '%s' "$candidate"
      return
    fi
  done
}

# missing_headers <header>...: prints the headers that the compiler does not find. Without a compiler, looks into /usr/include
# and /usr/local/include.
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

# packages_for_missing <requirement>...: prints the packages of requirements that are not met. A requirement is
# "command:<name>:<package>", "header:<path>:<package>" or "file:<path>:<package>". The package is only installed if the
# command, header or file is missing, so tools and libraries that were built from source are used as well.
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
    die "missing packages (Debian names): $*
apt-get is not installed: install the equivalents of these packages and start again"
  fi
  if ((EUID != 0)); then
    have sudo || die "missing packages: $*
Installing them needs root, and sudo is not installed. As root: apt-get install $*"
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

# require <requirement>...: installs missing packages and checks that the requirements are met then.
require() {
  local missing still
  readarray -t missing < <(packages_for_missing "$@" | sort -u)
  ((${#missing[@]})) || return 0
  install_packages "${missing[@]}"
  hash -r
  readarray -t still < <(packages_for_missing "$@" | sort -u)
  ((${#still[@]} == 0)) || die "still missing after the installation of: ${still[*]}"
}

# The requirements of building and running salu. CXX may name a version of a compiler, such as clang++-19.
build_requirements() {
  case ${CXX:-} in
    clang++-[0-9]*) printf '%s\n' "command:$CXX:${CXX/++/}" ;;
    g++-[0-9]*) printf '%s\n' "command:$CXX:$CXX" ;;
  esac
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

# has_configuration <preset>: true if these scripts have configured build/<preset>, and the clone was not moved since.
has_configuration() {
  local folder=$salu_root/build/$1 root=
  [[ -e $folder/build.ninja && -e $folder/.configured ]] || return 1
  read -r root <"$folder/.configured"
  [[ $root == "$salu_root" ]]
}

# configure <preset> [cmake argument...]: configures build/<preset>, unless it has these settings already. With CI=true in
# the environment, warnings are errors.
configure() {
  local preset=$1
  shift
  if [[ ${CI:-} == true ]]; then set -- "$@" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON; fi
  local folder=$salu_root/build/$preset wanted fresh=()
  # CMake searches for the tools of LLVM, which scripts/test may install later.
  local tools
  tools=$(command -v {llvm-mc,llc,opt,clang,lld,ld.lld,llvm-objdump,llvm-readelf}-{19,22} || true)
  wanted=$(printf '%s\n' "$salu_root" "$*" "$tools" && cksum <"$salu_root/CMakePresets.json")
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

# build <preset> [target...]: prints nothing if everything is up to date.
build() {
  local preset=$1
  shift
  ninja -C "$salu_root/build/$preset" "$@" </dev/null 2>&1 |
    sed -u -e '/^ninja: Entering directory/d' -e '/^ninja: no work to do/d' -e '/Re-checking globbed directories/d' >&2 ||
    die "the build in build/$preset failed (the compiler's messages are above)"
}

# Two scripts must not build into the same folder at the same time: the second waits. Call unlock before the tests or the
# program run.
lock() {
  mkdir -p "$salu_root/build"
  exec 9>"$salu_root/build/.lock"
  if have flock; then flock 9; fi
}

unlock() { exec 9>&-; }
