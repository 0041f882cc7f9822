package adamas

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"adamas.example/adamas/adamasv1"
)

// Violation is one thing that is wrong with a request.
type Violation struct {
	// Field is the path of the field, such as "query.view.diamonds.hand[3]".
	Field string
	// Description says what is wrong and what would be right.
	Description string
}

// Error is why a call has no answer. Every error of a call is one:
//
//	var failed *adamas.Error
//	if errors.As(err, &failed) {
//		for _, violation := range failed.Violations { ... }
//	}
type Error struct {
	Code    codes.Code
	Message string
	// Violations say what is wrong with the request, field by field.
	Violations []Violation
	// RetryAfter is after how long the server suggests to try again; 0 if it does not.
	RetryAfter time.Duration

	status *status.Status
}

// Error lists the violations below the message.
func (e *Error) Error() string {
	lines := []string{fmt.Sprintf("%s: %s", e.Code, e.Message)}
	for _, violation := range e.Violations {
		lines = append(lines, fmt.Sprintf("  %s: %s", violation.Field, violation.Description))
	}
	return strings.Join(lines, "\n")
}

// GRPCStatus is the status that gRPC's own functions look for.
func (e *Error) GRPCStatus() *status.Status {
	return e.status
}

// Is makes errors.Is work with the context's errors.
func (e *Error) Is(target error) bool {
	return target == context.DeadlineExceeded && e.Code == codes.DeadlineExceeded ||
		target == context.Canceled && e.Code == codes.Canceled
}

// FromSearchError is the error of one search of a batch, the same as a call's.
func FromSearchError(failed *adamasv1.SearchError) *Error {
	s := status.New(codes.Code(failed.Code), failed.Message).Proto()
	s.Details = failed.Details
	return fromStatus(status.FromProto(s))
}

func fromStatus(s *status.Status) *Error {
	failed := &Error{Code: s.Code(), Message: s.Message(), status: s}
	for _, detail := range s.Details() {
		switch detail := detail.(type) {
		case *errdetails.BadRequest:
			for _, violation := range detail.FieldViolations {
				failed.Violations = append(failed.Violations,
					Violation{violation.Field, violation.Description})
			}
		case *errdetails.PreconditionFailure:
			for _, violation := range detail.Violations {
				failed.Violations = append(failed.Violations,
					Violation{violation.Subject, violation.Description})
			}
		case *errdetails.RetryInfo:
			failed.RetryAfter = detail.RetryDelay.AsDuration()
		}
	}
	return failed
}

func readable(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return fromStatus(status.Convert(err))
}

func readableErrors(
	ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
	invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	return readable(invoke(ctx, method, request, reply, connection, options...))
}

func readableStreamErrors(
	ctx context.Context, description *grpc.StreamDesc, connection *grpc.ClientConn, method string,
	open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := open(ctx, description, connection, method, options...)
	if err != nil {
		return nil, readable(err)
	}
	return readableStream{stream}, nil
}

// readableStream fails with errors of this package.
type readableStream struct {
	grpc.ClientStream
}

func (s readableStream) RecvMsg(message any) error {
	return readable(s.ClientStream.RecvMsg(message))
}

func (s readableStream) SendMsg(message any) error {
	return readable(s.ClientStream.SendMsg(message))
}
