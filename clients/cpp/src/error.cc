#include "adamas/error.h"

#include <array>
#include <utility>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace adamas {
namespace {

constexpr std::array kNames = {
    "OK",           "CANCELLED",         "UNKNOWN",        "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED", "NOT_FOUND",    "ALREADY_EXISTS", "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
    "UNIMPLEMENTED", "INTERNAL",         "UNAVAILABLE",    "DATA_LOSS",
    "UNAUTHENTICATED"};

std::string Describe(grpc::StatusCode code, const std::string& message,
                     const std::vector<Violation>& violations) {
  const auto number = static_cast<std::size_t>(code);
  std::string text = number < kNames.size() ? kNames[number] : "UNKNOWN";
  text += ": " + message;
  for (const Violation& violation : violations) {
    text += "\n  " + violation.field + ": " + violation.description;
  }
  return text;
}

}  // namespace

Error::Error(const grpc::Status& status)
    : Error(status.error_code(), status.error_message(), Read(status.error_details())) {}

// Fields and wire format of a SearchError are those of google.rpc.Status.
Error::Error(const v1::SearchError& error)
    : Error(static_cast<grpc::StatusCode>(error.code()), error.message(),
            Read(error.SerializeAsString())) {}

Error::Error(grpc::StatusCode code, const std::string& message, Details details)
    : std::runtime_error(Describe(code, message, details.violations)),
      code_(code),
      message_(message),
      violations_(std::move(details.violations)),
      retry_after_(details.retry_after) {}

Error::Details Error::Read(const std::string& serialized) {
  Details found;
  google::rpc::Status status;
  if (!status.ParseFromString(serialized)) return found;  // the plain status says enough
  for (const google::protobuf::Any& detail : status.details()) {
    google::rpc::BadRequest wrong;
    google::rpc::PreconditionFailure against;
    google::rpc::RetryInfo retry;
    if (detail.UnpackTo(&wrong)) {
      for (const auto& violation : wrong.field_violations()) {
        found.violations.push_back({violation.field(), violation.description()});
      }
    } else if (detail.UnpackTo(&against)) {
      for (const auto& violation : against.violations()) {
        found.violations.push_back({violation.subject(), violation.description()});
      }
    } else if (detail.UnpackTo(&retry)) {
      found.retry_after = std::chrono::seconds(retry.retry_delay().seconds()) +
                          std::chrono::nanoseconds(retry.retry_delay().nanos());
    }
  }
  return found;
}

}  // namespace adamas
