package adamas.client;

import adamas.v1.SearchError;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.PreconditionFailure;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Why a call has no answer. Every call of {@link AdamasClient} fails with it, and with nothing else. */
public final class AdamasException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Status.Code code;
  private final transient List<Violation> violations;
  private final Duration retryAfter;

  private AdamasException(
      Status.Code code,
      String message,
      List<Violation> violations,
      Duration retryAfter,
      Throwable cause) {
    super(describe(code, message, violations), cause);
    this.code = code;
    this.violations = List.copyOf(violations);
    this.retryAfter = retryAfter;
  }

  /** The exception for a failed call; {@code failure} is what gRPC threw. */
  public static AdamasException of(Throwable failure) {
    if (failure instanceof AdamasException known) {
      return known;
    }
    com.google.rpc.Status status = StatusProto.fromThrowable(failure);
    Status plain = Status.fromThrowable(failure);
    return read(plain.getCode(), plain.getDescription(), status, failure);
  }

  /** The exception for one search of a batch, the same as for a call. */
  public static AdamasException of(SearchError error) {
    com.google.rpc.Status status =
        com.google.rpc.Status.newBuilder().addAllDetails(error.getDetailsList()).build();
    Status.Code code = Status.fromCodeValue(error.getCode()).getCode();
    return read(code, error.getMessage(), status, null);
  }

  /** The status of the call. */
  public Status.Code code() {
    return code;
  }

  /** What is wrong with the request, field by field; may be empty if the message says it all. */
  public List<Violation> violations() {
    return violations;
  }

  /** After how long the server suggests to try again. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  private static AdamasException read(
      Status.Code code, String message, com.google.rpc.Status status, Throwable cause) {
    List<Violation> violations = new ArrayList<>();
    Duration retryAfter = null;
    for (Any detail : status == null ? List.<Any>of() : status.getDetailsList()) {
      try {
        if (detail.is(BadRequest.class)) {
          for (var v : detail.unpack(BadRequest.class).getFieldViolationsList()) {
            violations.add(new Violation(v.getField(), v.getDescription()));
          }
        } else if (detail.is(PreconditionFailure.class)) {
          for (var v : detail.unpack(PreconditionFailure.class).getViolationsList()) {
            violations.add(new Violation(v.getSubject(), v.getDescription()));
          }
        } else if (detail.is(RetryInfo.class)) {
          var delay = detail.unpack(RetryInfo.class).getRetryDelay();
          retryAfter = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
        }
      } catch (InvalidProtocolBufferException garbled) {
        // The plain status says enough.
      }
    }
    return new AdamasException(code, message, violations, retryAfter, cause);
  }

  private static String describe(Status.Code code, String message, List<Violation> violations) {
    return code
        + ": "
        + message
        + violations.stream().map(v -> "\n  " + v).collect(Collectors.joining());
  }
}
