package adamas

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// ErrTokenInTheOpen says that others could read the token on its way.
var ErrTokenInTheOpen = errors.New(
	"adamas: without TLS, others could read the token on its way; " +
		"use WithTLS, or WithPlaintextToken where the way is safe")

// serviceConfig has calls take turns at all servers that a name stands for, and be tried again while
// none can be had. A batch is not: replayed by gRPC, a stream may lose what was written meanwhile.
const serviceConfig = `{
  "loadBalancingConfig": [{"round_robin": {}}],
  "methodConfig": [
    {"name": [{"service": "adamas.v1.AdvisorService", "method": "RecommendBatch"}]},
    {
      "name": [{}],
      "retryPolicy": {
        "maxAttempts": 4,
        "initialBackoff": "0.1s",
        "maxBackoff": "1s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"]
      }
    }
  ]
}`

// Option is a setting of a client.
type Option func(*settings)

type settings struct {
	grace     time.Duration
	tls       *tls.Config
	token     string
	plaintext bool
	more      []grpc.DialOption
}

// WithGrace sets what a call may take on top of its search time before it fails.
func WithGrace(grace time.Duration) Option {
	return func(s *settings) { s.grace = grace }
}

// WithTLS encrypts the connection. An empty configuration trusts what this machine trusts; RootCAs
// and Certificates set other authorities and a certificate of the client's own.
func WithTLS(config *tls.Config) Option {
	return func(s *settings) { s.tls = config }
}

// WithToken sets what the server knows this client by.
func WithToken(token string) Option {
	return func(s *settings) { s.token = token }
}

// WithPlaintextToken lets the token be sent to other machines without TLS.
func WithPlaintextToken() Option {
	return func(s *settings) { s.plaintext = true }
}

// WithDialOptions adds gRPC's own options, laid over this package's.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.more = append(s.more, options...) }
}

func settle(target string, options []Option) (*settings, error) {
	s := &settings{grace: DefaultGrace}
	for _, option := range options {
		option(s)
	}
	if s.token != "" && s.tls == nil && !s.plaintext && !isLoopback(target) {
		return nil, ErrTokenInTheOpen
	}
	return s, nil
}

func (s *settings) dial() []grpc.DialOption {
	transport := insecure.NewCredentials()
	if s.tls != nil {
		transport = credentials.NewTLS(s.tls)
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithDefaultServiceConfig(serviceConfig),
		grpc.WithChainUnaryInterceptor(readableErrors),
		grpc.WithChainStreamInterceptor(readableStreamErrors),
	}
	if s.token != "" {
		options = append(options, grpc.WithPerRPCCredentials(bearer{s.token, s.tls != nil}))
	}
	return append(options, s.more...)
}

// bearer sends a token with every call.
type bearer struct {
	token     string
	encrypted bool
}

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + b.token}, nil
}

func (b bearer) RequireTransportSecurity() bool {
	return b.encrypted
}

// isLoopback says whether what is sent to a target stays on this machine.
func isLoopback(target string) bool {
	if strings.HasPrefix(target, "unix:") || strings.HasPrefix(target, "unix-abstract:") {
		return true
	}
	address := target[strings.LastIndex(target, "/")+1:]
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
