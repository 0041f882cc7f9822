package adamas_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/types/known/durationpb"

	"adamas.example/adamas"
	"adamas.example/adamas/adamasv1"
)

// scripted is a server whose answers a test writes.
type scripted struct {
	adamasv1.UnimplementedAdvisorServiceServer
	recommend func(context.Context) (*adamasv1.RecommendResponse, error)
	analyze   func(grpc.ServerStreamingServer[adamasv1.AnalyzeResponse]) error
}

func (s scripted) Recommend(
	ctx context.Context, _ *adamasv1.RecommendRequest,
) (*adamasv1.RecommendResponse, error) {
	return s.recommend(ctx)
}

func (s scripted) Analyze(
	_ *adamasv1.AnalyzeRequest, stream grpc.ServerStreamingServer[adamasv1.AnalyzeResponse],
) error {
	return s.analyze(stream)
}

func connect(t *testing.T, server scripted, options ...adamas.Option) *adamas.Client {
	listener := bufconn.Listen(1 << 16)
	serving := grpc.NewServer()
	adamasv1.RegisterAdvisorServiceServer(serving, server)
	go serving.Serve(listener)
	t.Cleanup(serving.Stop)
	options = append(options, adamas.WithDialOptions(
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(context.Context, string) (net.Conn, error) {
			return listener.Dial()
		}),
	))
	client, err := adamas.New("passthrough:///localhost", options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func TestAnErrorTellsFieldsAndWhenToTryAgain(t *testing.T) {
	refusal, err := status.New(codes.ResourceExhausted, "too much to do").WithDetails(
		&errdetails.RetryInfo{RetryDelay: durationpb.New(1500 * time.Millisecond)},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: "query.level", Description: "is 11; use 1 to 10"},
		}},
	)
	if err != nil {
		t.Fatal(err)
	}
	client := connect(t, scripted{recommend: func(context.Context) (*adamasv1.RecommendResponse, error) {
		return nil, refusal.Err()
	}})
	_, err = client.Recommend(t.Context(), &adamasv1.SearchQuery{})
	var failed *adamas.Error
	if !errors.As(err, &failed) {
		t.Fatalf("%v is no *adamas.Error", err)
	}
	if failed.Code != codes.ResourceExhausted || failed.RetryAfter != 1500*time.Millisecond {
		t.Errorf("got %v, again after %v", failed.Code, failed.RetryAfter)
	}
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("gRPC's own functions see %v", status.Code(err))
	}
	const want = "ResourceExhausted: too much to do\n  query.level: is 11; use 1 to 10"
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestACallHasADeadlineOfItsSearchTimeAndTheGrace(t *testing.T) {
	var left time.Duration
	client := connect(t, scripted{recommend: func(ctx context.Context) (*adamasv1.RecommendResponse, error) {
		deadline, _ := ctx.Deadline()
		left = time.Until(deadline)
		return &adamasv1.RecommendResponse{}, nil
	}}, adamas.WithGrace(5*time.Second))
	limits := &adamasv1.SearchLimits{Time: durationpb.New(20 * time.Second)}
	if _, err := client.Recommend(t.Context(), &adamasv1.SearchQuery{Limits: limits}); err != nil {
		t.Fatal(err)
	}
	if left <= 20*time.Second || left > 25*time.Second {
		t.Errorf("%v left", left)
	}
}

func TestALateAnswerIsTheContextsError(t *testing.T) {
	client := connect(t, scripted{recommend: func(ctx context.Context) (*adamasv1.RecommendResponse, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := client.Recommend(ctx, &adamasv1.SearchQuery{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestATryIsMadeAgainWhileNoServerCanBeHad(t *testing.T) {
	tries := 0
	client := connect(t, scripted{recommend: func(context.Context) (*adamasv1.RecommendResponse, error) {
		if tries++; tries < 3 {
			return nil, status.Error(codes.Unavailable, "starting")
		}
		return &adamasv1.RecommendResponse{Advice: &adamasv1.Advice{LegalMoves: 4}}, nil
	}})
	advice, err := client.Recommend(t.Context(), &adamasv1.SearchQuery{})
	if err != nil || advice.LegalMoves != 4 || tries != 3 {
		t.Errorf("%v, %v after %d tries", advice, err, tries)
	}
}

func TestLeavingTheLoopStopsTheSearch(t *testing.T) {
	stopped := make(chan struct{})
	client := connect(t, scripted{analyze: func(stream grpc.ServerStreamingServer[adamasv1.AnalyzeResponse]) error {
		if err := stream.Send(&adamasv1.AnalyzeResponse{}); err != nil {
			return err
		}
		<-stream.Context().Done()
		close(stopped)
		return stream.Context().Err()
	}})
	for _, err := range client.Analyze(t.Context(), &adamasv1.SearchQuery{}, 0) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Error("the search went on")
	}
}

func TestAnAnalysisThatFailsYieldsItsError(t *testing.T) {
	client := connect(t, scripted{analyze: func(grpc.ServerStreamingServer[adamasv1.AnalyzeResponse]) error {
		return status.Error(codes.InvalidArgument, "no position")
	}})
	var found []error
	for _, err := range client.Analyze(t.Context(), &adamasv1.SearchQuery{}, 0) {
		found = append(found, err)
	}
	if len(found) != 1 || status.Code(found[0]) != codes.InvalidArgument {
		t.Errorf("got %v", found)
	}
}

func TestATokenIsSentToThisMachineOrEncrypted(t *testing.T) {
	var sent []string
	client := connect(t, scripted{recommend: func(ctx context.Context) (*adamasv1.RecommendResponse, error) {
		sent = metadata.ValueFromIncomingContext(ctx, "authorization")
		return &adamasv1.RecommendResponse{}, nil
	}}, adamas.WithToken("secret"))
	if _, err := client.Recommend(t.Context(), &adamasv1.SearchQuery{}); err != nil {
		t.Fatal(err)
	}
	if len(sent) != 1 || sent[0] != "Bearer secret" {
		t.Errorf("sent %v", sent)
	}
	for target, safe := range map[string]bool{
		"localhost:50051": true, "127.0.0.1:50051": true, "[::1]:50051": true, "unix:/run/a": true,
		"example.com:50051": false, "dns:///example.com:50051": false, "10.0.0.1:50051": false,
	} {
		_, err := adamas.New(target, adamas.WithToken("secret"))
		if refused := errors.Is(err, adamas.ErrTokenInTheOpen); refused == safe {
			t.Errorf("%s: %v", target, err)
		}
	}
}
