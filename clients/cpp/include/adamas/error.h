#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <grpcpp/support/status.h>

#include "adamas/v1/advisor_service.pb.h"

namespace adamas {

/// One thing that is wrong with a request.
struct Violation {
  /// Path of the field, such as "query.view.diamonds.hand[3]".
  std::string field;
  /// What is wrong and what would be right.
  std::string description;

  bool operator==(const Violation&) const = default;
};

/// Why a call has no answer. Every call of a Client that fails throws one.
class Error : public std::runtime_error {
 public:
  /// The error of a call that failed.
  explicit Error(const grpc::Status& status);

  /// The error of one search of a batch, the same as a call's.
  explicit Error(const v1::SearchError& error);

  /// The status of the call.
  grpc::StatusCode code() const { return code_; }

  /// What is wrong, for people; what() lists the violations below it.
  const std::string& message() const { return message_; }

  /// What is wrong with the request, field by field.
  const std::vector<Violation>& violations() const { return violations_; }

  /// After how long the server suggests to try again.
  std::optional<std::chrono::nanoseconds> retry_after() const { return retry_after_; }

 private:
  struct Details {
    std::vector<Violation> violations;
    std::optional<std::chrono::nanoseconds> retry_after;
  };

  Error(grpc::StatusCode code, const std::string& message, Details details);
  static Details Read(const std::string& status);

  grpc::StatusCode code_;
  std::string message_;
  std::vector<Violation> violations_;
  std::optional<std::chrono::nanoseconds> retry_after_;
};

}  // namespace adamas
