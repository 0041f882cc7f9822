include(CMakeFindDependencyMacro)
find_dependency(Protobuf)
find_dependency(Threads)
find_dependency(gRPC CONFIG)
include(${CMAKE_CURRENT_LIST_DIR}/adamas-client-targets.cmake)
# The targets call it adamas::adamas_client; everybody else adamas::client.
add_library(adamas::client ALIAS adamas::adamas_client)
