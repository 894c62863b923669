# cpack runs this script before it packs: it adds the files that Debian requires in a package.
set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
set(source "${CPACK_SALU_SOURCE_DIRECTORY}")
set(documents "${root}/usr/share/doc/salu")
if(NOT EXISTS "${documents}")
  return()
endif()

# All files have the same time stamp, so that the same sources give the same package.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(READ "${source}/LICENSE" license)
file(READ "${source}/NOTICE" notice)
file(WRITE "${documents}/copyright" "${license}

${notice}
On Debian systems the complete texts of the GNU licences are in /usr/share/common-licenses/LGPL-3 and
/usr/share/common-licenses/GPL-2.
")
file(REMOVE "${documents}/LICENSE")
file(RENAME "${documents}/CHANGELOG.md" "${documents}/changelog")
file(WRITE "${documents}/changelog.Debian" "salu (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Packed by cpack from the sources; changelog.gz says what is in them.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
file(GLOB pages "${root}/usr/share/man/man1/*.1")
execute_process(COMMAND gzip -9n ${pages} "${documents}/changelog" "${documents}/changelog.Debian"
  COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY "${root}/usr/share/lintian/overrides")
file(COPY_FILE "${source}/cmake/debian/lintian-overrides" "${root}/usr/share/lintian/overrides/salu")
