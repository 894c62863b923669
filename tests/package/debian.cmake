# Tests the package for Debian: its files, their paths, and its dependencies. tests/package/bare_debian.sh installs it.
# In: build_directory, work_directory, version.
include("${CMAKE_CURRENT_LIST_DIR}/commands.cmake")
find_program(cpack cpack REQUIRED)
foreach(command dpkg-deb dpkg-shlibdeps)
  find_program(path_of_${command} ${command})
  if(NOT path_of_${command})
    message("skipped: there is no ${command} here, this is no Debian")
    return()
  endif()
endforeach()
file(REMOVE_RECURSE "${work_directory}/debian")
run("${CMAKE_COMMAND}" -E chdir "${build_directory}" "${cpack}" -G DEB -B "${work_directory}/debian")
file(GLOB package "${work_directory}/debian/salu_${version}-1_*.deb")
if(NOT package)
  message(FATAL_ERROR "cpack made no package for Debian:\n${output}")
endif()

run("${path_of_dpkg-deb}" --contents "${package}")
set(documents ./usr/share/doc/salu)
expect_printed(./usr/bin/salu\n ./usr/lib/libsalu.so.0\ -> ./usr/lib/libsalu.so\ -> ./usr/lib/libsalu_core.a
  ./usr/include/salu.h ./usr/include/salu/run.hpp ./usr/lib/cmake/salu/saluConfig.cmake ./usr/lib/pkgconfig/salu.pc
  ./usr/share/man/man1/salu.1.gz ./usr/share/man/man1/salu-run.1.gz
  ./usr/share/bash-completion/completions/salu\n ./usr/share/zsh/vendor-completions/_salu
  ./usr/share/fish/vendor_completions.d/salu.fish ./usr/share/salu/schema/salu-scenario.schema.json
  ${documents}/copyright ${documents}/changelog.gz ${documents}/changelog.Debian.gz ${documents}/NOTICE
  ${documents}/README.md ${documents}/docs/how-to/running.md ${documents}/programs/fork_join.yaml
  ${documents}/examples/c/main.c ./usr/share/lintian/overrides/salu)
run("${path_of_dpkg-deb}" --field "${package}")
# The dependencies are determined from the linked libraries and the symbols that are used. Since Debian 13, libdw1 is
# libdw1t64.
string(REPLACE "t64 (" " (" output "${output}")
expect_printed("Package: salu\n" "Version: ${version}-1\n" "libc6 (>=" "libdw1 (>=" "libelf1 (>=" "libfmt" "libspdlog"
  "libstdc++6 (>=" "libyaml-cpp")
run("${path_of_dpkg-deb}" --info "${package}" shlibs triggers)
expect_printed("libsalu 0 salu" "ldconfig")

find_program(lintian lintian)
if(NOT lintian)
  message("not asked: lintian, which scripts/test --extra installs")
  return()
endif()
# Root may build the package; cmake/debian/lintian-overrides has the reasons for the accepted warnings.
run("${lintian}" --allow-root --fail-on error,warning --no-tag-display-limit "${package}")
