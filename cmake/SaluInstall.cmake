include(CMakePackageConfigHelpers)

set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/salu")

get_property(libraries GLOBAL PROPERTY SALU_LIBRARIES)
install(TARGETS ${libraries} salu_all EXPORT saluTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT saluTargets NAMESPACE salu:: DESTINATION "${package_directory}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/salu" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
if(TARGET salu)
  install(TARGETS salu EXPORT saluProgram RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(EXPORT saluProgram NAMESPACE salu:: DESTINATION "${package_directory}")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
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
