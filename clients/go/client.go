// Package adamas is a client of Adamas, an AI opponent for games with hidden information. It asks a
// server what to play: it sends what one seat knows and gets ranked moves with reasons.
//
// The messages are package adamasv1, generated from the protos. A Client is the generated stubs of
// both services with what every frontend needs around them: deadlines, tries while no server can be
// had, TLS and a token, and errors that name the fields at fault (see Error).
package adamas

//go:generate buf generate

import (
	"context"
	"io"
	"iter"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"

	"adamas.example/adamas/adamasv1"
)

const (
	// DefaultGrace is what a call may take on top of its search time, unless WithGrace says otherwise.
	DefaultGrace = 10 * time.Second
	// DefaultSearchTime is how long a server searches if it is given no limit.
	DefaultSearchTime = time.Second
	// MaxSearchTime is how long a search may take that is limited by iterations alone.
	MaxSearchTime = time.Minute
)

// Client is a connection to a server, for any number of calls and goroutines. Rules holds the calls
// of the referee: deal, view, legal moves, apply.
type Client struct {
	// Rules are the calls of the rules service, with the deadline that the context has.
	Rules adamasv1.RulesServiceClient

	advisor    adamasv1.AdvisorServiceClient
	connection *grpc.ClientConn
	grace      time.Duration
}

// New sets up a client of the server at target, "host:port". Nothing is sent yet: the connection is
// made by the first call, and made again whenever it breaks.
func New(target string, options ...Option) (*Client, error) {
	settings, err := settle(target, options)
	if err != nil {
		return nil, err
	}
	connection, err := grpc.NewClient(target, settings.dial()...)
	if err != nil {
		return nil, err
	}
	return &Client{
		Rules:      adamasv1.NewRulesServiceClient(connection),
		advisor:    adamasv1.NewAdvisorServiceClient(connection),
		connection: connection,
		grace:      settings.grace,
	}, nil
}

// Close ends the connection and whatever still runs over it.
func (c *Client) Close() error {
	return c.connection.Close()
}

// Recommend searches a position and answers once. Cancelling the context stops the search.
func (c *Client) Recommend(ctx context.Context, query *adamasv1.SearchQuery) (*adamasv1.Advice, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout(query))
	defer cancel()
	response, err := c.advisor.Recommend(ctx, &adamasv1.RecommendRequest{Query: query})
	if err != nil {
		return nil, err
	}
	return response.Advice, nil
}

// Update is one answer of an analysis; the last one is final.
type Update struct {
	Advice *adamasv1.Advice
	Final  bool
}

// Analyze searches a position and yields growing answers, every interval (0: the server's 0.2 s)
// and the final one last. Breaking the loop, or cancelling the context, stops the search. An error
// ends it.
func (c *Client) Analyze(
	ctx context.Context, query *adamasv1.SearchQuery, interval time.Duration,
) iter.Seq2[Update, error] {
	return func(yield func(Update, error) bool) {
		ctx, cancel := context.WithTimeout(ctx, c.timeout(query))
		defer cancel()
		request := &adamasv1.AnalyzeRequest{Query: query}
		if interval > 0 {
			request.UpdateInterval = durationpb.New(interval)
		}
		stream, err := c.advisor.Analyze(ctx, request)
		for err == nil {
			var response *adamasv1.AnalyzeResponse
			if response, err = stream.Recv(); err == nil {
				if !yield(Update{response.Advice, response.Final}, nil) {
					return
				}
			}
		}
		if err != io.EOF {
			yield(Update{}, err)
		}
	}
}

// RecommendBatch opens a stream for many positions, with the deadline that the context has. Each
// request needs an id of its own; answers come as searches end. Receive while you send.
func (c *Client) RecommendBatch(ctx context.Context) (
	grpc.BidiStreamingClient[adamasv1.RecommendBatchRequest, adamasv1.RecommendBatchResponse], error,
) {
	return c.advisor.RecommendBatch(ctx)
}

// timeout is how long a call with this query may take. The server answers before it.
func (c *Client) timeout(query *adamasv1.SearchQuery) time.Duration {
	limits := query.GetLimits()
	switch {
	case limits.GetTime() != nil:
		return limits.GetTime().AsDuration() + c.grace
	case limits.GetIterations() > 0:
		return MaxSearchTime + c.grace
	default:
		return DefaultSearchTime + c.grace
	}
}
