include(CMakePackageConfigHelpers)

set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/salu")

get_property(libraries GLOBAL PROPERTY SALU_LIBRARIES)
install(TARGETS ${libraries} salu_all EXPORT saluTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT saluTargets NAMESPACE salu:: DESTINATION "${package_directory}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/salu" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
if(TARGET salu_c)
  install(TARGETS salu_c EXPORT saluShared LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT saluShared NAMESPACE salu:: DESTINATION "${package_directory}")
  install(FILES "${PROJECT_SOURCE_DIR}/include/salu.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  # The prefix is relative to the file, so that an installation can be moved. No path in it is absolute.
  set(pkgconfig_directory "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  file(RELATIVE_PATH SALU_PC_PREFIX "/${pkgconfig_directory}" "/")
  string(REGEX REPLACE "/$" "" SALU_PC_PREFIX "${SALU_PC_PREFIX}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/salu.pc.in" "${PROJECT_BINARY_DIR}/salu.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/salu.pc" DESTINATION "${pkgconfig_directory}")
endif()
if(TARGET salu)
  install(TARGETS salu EXPORT saluProgram RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(EXPORT saluProgram NAMESPACE salu:: DESTINATION "${package_directory}")
  if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
    set(completion "${PROJECT_BINARY_DIR}/share/completion")
    # On Debian, packages use vendor-completions; site-functions is for local installations.
    set(zsh_folder site-functions)
    if(EXISTS /etc/debian_version)
      set(zsh_folder vendor-completions)
    endif()
    install(DIRECTORY "${PROJECT_BINARY_DIR}/share/man/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
    install(FILES "${completion}/salu" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${completion}/_salu" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/${zsh_folder}")
    install(FILES "${completion}/salu.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  endif()
endif()
foreach(document LICENSE NOTICE README.md CHANGELOG.md CONTRIBUTING.md CODE_OF_CONDUCT.md SECURITY.md docs examples programs)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${document}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${document}" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
      PATTERN build EXCLUDE PATTERN __pycache__ EXCLUDE)
  else()
    install(FILES "${PROJECT_SOURCE_DIR}/${document}" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  endif()
endforeach()
if(EXISTS "${PROJECT_SOURCE_DIR}/schema")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/schema" DESTINATION "${CMAKE_INSTALL_DATADIR}/salu")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/saluConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/saluConfig.cmake" INSTALL_DESTINATION "${package_directory}")
# Before 1.0 a minor version may change the API.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/saluConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/saluConfig.cmake" "${PROJECT_BINARY_DIR}/saluConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/SaluDependencies.cmake" "${PROJECT_SOURCE_DIR}/cmake/SaluAddTests.cmake"
  DESTINATION "${package_directory}")
