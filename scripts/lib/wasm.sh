# shellcheck shell=bash
# Builds the module of the playground and its libraries. For scripts/playground and scripts/test, after common.sh.

# The requirements of building the module and the folder of the playground.
wasm_requirements() {
  build_requirements
  printf '%s\n' \
    command:clang++-19:clang-19 \
    command:wasm-ld-19:lld-19 \
    command:llvm-ar-19:llvm-19 \
    command:ccache:ccache \
    command:wasm-opt:binaryen \
    command:zopfli:zopfli \
    command:python3:python3 \
    command:xz:xz-utils \
    command:bzip2:bzip2 \
    file:/usr/lib/llvm-19/include/wasm32-wasi/c++/v1/__config:libc++-19-dev-wasm32 \
    file:/usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a:libclang-rt-19-dev-wasm32 \
    file:/usr/lib/wasm32-wasi/crt1-reactor.o:wasi-libc
}

# fetch_debian_sources <folder> <package>...: downloads the sources of packages. deb-src is enabled in separate lists, so the
# configuration of apt does not change and root is not needed.
fetch_debian_sources() {
  local folder=$1 list=$1/apt/deb-src.sources site release component
  local keys=/usr/share/keyrings/debian-archive-keyring.gpg
  shift
  mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial}
  # Only archives of Debian: others may not have sources.
  while IFS='|' read -r site release component; do
    printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: %s\n' "$site" "$release" "$component"
    if [[ -e $keys ]]; then printf 'Signed-By: %s\n' "$keys"; fi
    printf '\n'
  done < <(apt-get indextargets --format '$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)' 'Created-By: Packages' |
    sed -n 's/|Debian$//p' | awk '!seen[$0]++') >"$list"
  [[ -s $list ]] || die "the sources of apt do not include an archive of Debian"
  cat >"$folder/apt/conf" <<TEXT
Dir::Etc::sourcelist "$list";
Dir::Etc::sourceparts "-";
Dir::State::Lists "$folder/apt/lists";
Dir::Cache "$folder/apt/cache";
APT::Sandbox::User "$(id -un)";
TEXT
  export APT_CONFIG=$folder/apt/conf
  local failed=false
  { apt-get update -q && (cd "$folder" && apt-get source -q --download-only "$@"); } \
    </dev/null >"$folder/apt/log" 2>&1 || failed=true
  unset APT_CONFIG
  if $failed; then
    cat "$folder/apt/log" >&2
    die "apt-get could not fetch the sources of: $* (its messages are above)"
  fi
}

# unpack_source <folder> <package> <path>...: unpacks the files that match the paths into <folder>/<package>.
unpack_source() {
  local folder=$1 package=$2 archive top
  shift 2
  archive=$(find "$folder" -maxdepth 1 -name "${package}_*.orig.tar.*" ! -name '*.asc' -print -quit)
  [[ -n $archive ]] || die "the archive ${package}_*.orig.tar.* is missing in the sources of $package"
  mkdir -p "$folder/$package"
  top=("${@/#/*/}")
  tar -xf "$archive" -C "$folder/$package" --strip-components=1 --wildcards "${top[@]}" >&2 ||
    die "the sources of $package could not be unpacked"
}

# Sets wasm_sysroot: a folder with libc++ with exceptions, yaml-cpp, libelf, libdw and zlib for wasm32-wasi. All clones of
# this user share it until its sources or the compiler change.
make_wasm_sysroot() {
  local from=$salu_root/web/playground/wasm cache=${XDG_CACHE_HOME:-$HOME/.cache}/salu key
  key=$({
    clang++-19 --version
    cat "$from/toolchain.cmake" "$salu_root/scripts/lib/wasm.sh"
    find "$from"/{sysroot,shim,libcxx} -type f | LC_ALL=C sort | xargs cat
  } | sha256sum | cut -c1-16)
  wasm_sysroot=$cache/wasm-sysroot-$key
  [[ -e $wasm_sysroot/complete ]] && return
  say "building the libraries of the playground into $wasm_sysroot (once; downloads 180 MB of sources from Debian)"
  local sources log
  mkdir -p "$cache"
  sources=$(mktemp -d "$cache/sources.XXXXXX")
  log=$sources/log
  fetch_debian_sources "$sources" llvm-toolchain-19 elfutils yaml-cpp zlib
  unpack_source "$sources" llvm-toolchain-19 'libcxx/src/*' 'libcxxabi/*' 'libunwind/*'
  unpack_source "$sources" elfutils 'lib/*' 'libelf/*' 'libdw/*' 'libebl/*' 'libdwelf/*' version.h
  unpack_source "$sources" yaml-cpp 'src/*' 'include/*'
  unpack_source "$sources" zlib '*.[ch]'
  if ! {
    cmake -G Ninja -S "$from/sysroot" -B "$sources/build" -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_TOOLCHAIN_FILE="$from/toolchain.cmake" "-DCMAKE_C_FLAGS_RELEASE=-Oz -DNDEBUG" \
      "-DCMAKE_CXX_FLAGS_RELEASE=-Oz -DNDEBUG" -DSALU_SOURCES="$sources" -DCMAKE_C_COMPILER_LAUNCHER=ccache \
      -DCMAKE_CXX_COMPILER_LAUNCHER=ccache &&
      ninja -C "$sources/build"
  } </dev/null >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    die "the libraries of the playground could not be built (the last messages are above, all of them in $log)"
  fi
  rm -rf "$wasm_sysroot"
  mkdir -p "$wasm_sysroot/include/elfutils"
  cp -r "$sources/build/lib" "$wasm_sysroot/lib"
  cp -r "$sources/yaml-cpp/include/yaml-cpp" "$wasm_sysroot/include"
  cp "$sources"/elfutils/libelf/{libelf,gelf,elf}.h "$sources/elfutils/libdw/dwarf.h" "$wasm_sysroot/include"
  cp "$sources"/elfutils/libdw/libdw.h "$wasm_sysroot/include/elfutils"
  # These headers do not depend on the architecture. Others in /usr/include do.
  local header
  for header in fmt nlohmann; do
    cp -r "/usr/include/$header" "$wasm_sysroot/include"
  done
  rm -rf "$sources"
  touch "$wasm_sysroot/complete"
}

# build_playground: builds the module and the folder build/playground.
build_playground() {
  make_wasm_sysroot
  configure wasm -DSALU_WASM_SYSROOT="$wasm_sysroot"
  build wasm salu_playground
  python3 "$salu_root/web/playground/make.py" "$salu_root/build/wasm/bin/salu.wasm" "$salu_root/build/playground" ||
    die "build/playground could not be created"
}
