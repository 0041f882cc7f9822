package adamas_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"adamas.example/adamas"
	"adamas.example/adamas/adamasv1"
)

// vector is a request with the answer that every client gets, see clients/conformance.
type vector struct {
	Call      string
	Requests  []json.RawMessage
	Responses []json.RawMessage
	Error     *struct {
		Code       string
		Message    string
		Violations []adamas.Violation
	}
}

func TestAnswersAreThoseOfAllClients(t *testing.T) {
	target := os.Getenv("ADAMAS_TARGET")
	if target == "" {
		t.Skip("ADAMAS_TARGET names no server")
	}
	client, err := adamas.New(target)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	paths, err := filepath.Glob("../conformance/vectors/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			check(t, client, path)
		})
	}
}

func check(t *testing.T, client *adamas.Client, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v vector
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	responses, err := ask(t, ctx, client, v)
	if v.Error != nil {
		checkError(t, v, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(responses) != len(v.Responses) {
		t.Fatalf("%d responses, not %d", len(responses), len(v.Responses))
	}
	for i, response := range responses {
		expected := response.ProtoReflect().New().Interface()
		read(t, v.Responses[i], expected)
		if !proto.Equal(response, expected) {
			t.Errorf("got %v\nwant %v", protojson.Format(response), protojson.Format(expected))
		}
	}
}

func checkError(t *testing.T, v vector, err error) {
	var failed *adamas.Error
	if !errors.As(err, &failed) {
		t.Fatalf("%v is no error of the server's", err)
	}
	code := strings.ToUpper(strings.ReplaceAll(v.Error.Code, "_", ""))
	if got := strings.ToUpper(failed.Code.String()); got != code {
		t.Errorf("code %v, not %v", got, code)
	}
	if failed.Message != v.Error.Message {
		t.Errorf("message %q, not %q", failed.Message, v.Error.Message)
	}
	if !slices.Equal(failed.Violations, v.Error.Violations) {
		t.Errorf("violations %v, not %v", failed.Violations, v.Error.Violations)
	}
}

// ask makes a vector's call, and clears what can't be compared.
func ask(t *testing.T, ctx context.Context, client *adamas.Client, v vector) ([]proto.Message, error) {
	rules := client.Rules
	switch v.Call {
	case "AdvisorService/Recommend":
		request := &adamasv1.RecommendRequest{}
		read(t, v.Requests[0], request)
		advice, err := client.Recommend(ctx, request.Query)
		return []proto.Message{&adamasv1.RecommendResponse{
			RequestId: request.RequestId, Advice: timeless(advice),
		}}, err
	case "AdvisorService/Analyze":
		return analyze(t, ctx, client, v)
	case "AdvisorService/RecommendBatch":
		return batch(t, ctx, client, v)
	case "RulesService/ListGames":
		return unary(t, ctx, v, rules.ListGames, &adamasv1.ListGamesRequest{})
	case "RulesService/GetGame":
		return unary(t, ctx, v, rules.GetGame, &adamasv1.GetGameRequest{})
	case "RulesService/StartGame":
		return unary(t, ctx, v, rules.StartGame, &adamasv1.StartGameRequest{})
	case "RulesService/GetPlayerView":
		return unary(t, ctx, v, rules.GetPlayerView, &adamasv1.GetPlayerViewRequest{})
	case "RulesService/ListLegalMoves":
		return unary(t, ctx, v, rules.ListLegalMoves, &adamasv1.ListLegalMovesRequest{})
	case "RulesService/ApplyMove":
		return unary(t, ctx, v, rules.ApplyMove, &adamasv1.ApplyMoveRequest{})
	case "RulesService/GetTableStatus":
		return unary(t, ctx, v, rules.GetTableStatus, &adamasv1.GetTableStatusRequest{})
	case "RulesService/ValidateView":
		return unary(t, ctx, v, rules.ValidateView, &adamasv1.ValidateViewRequest{})
	}
	t.Fatalf("no call %q", v.Call)
	return nil, nil
}

func unary[Request, Response proto.Message](
	t *testing.T, ctx context.Context, v vector,
	call func(context.Context, Request, ...grpc.CallOption) (Response, error), request Request,
) ([]proto.Message, error) {
	read(t, v.Requests[0], request)
	response, err := call(ctx, request)
	return []proto.Message{response}, err
}

func analyze(t *testing.T, ctx context.Context, client *adamas.Client, v vector) ([]proto.Message, error) {
	request := &adamasv1.AnalyzeRequest{}
	read(t, v.Requests[0], request)
	var final *adamasv1.Advice
	for update, err := range client.Analyze(ctx, request.Query, request.UpdateInterval.AsDuration()) {
		if err != nil {
			return nil, err
		}
		if update.Final {
			final = update.Advice
		}
	}
	return []proto.Message{&adamasv1.AnalyzeResponse{
		RequestId: request.RequestId, Advice: timeless(final), Final: true,
	}}, nil
}

func batch(t *testing.T, ctx context.Context, client *adamas.Client, v vector) ([]proto.Message, error) {
	stream, err := client.RecommendBatch(ctx)
	if err != nil {
		return nil, err
	}
	for _, text := range v.Requests {
		request := &adamasv1.RecommendBatchRequest{}
		read(t, text, request)
		if err := stream.Send(request); err != nil {
			return nil, err
		}
	}
	if err := stream.CloseSend(); err != nil {
		return nil, err
	}
	var found []*adamasv1.RecommendBatchResponse
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		timeless(response.GetAdvice())
		if failed := response.GetError(); failed != nil {
			failed.Details = nil
		}
		found = append(found, response)
	}
	slices.SortFunc(found, func(a, b *adamasv1.RecommendBatchResponse) int {
		return strings.Compare(a.RequestId, b.RequestId)
	})
	var responses []proto.Message
	for _, response := range found {
		responses = append(responses, response)
	}
	return responses, nil
}

func timeless(advice *adamasv1.Advice) *adamasv1.Advice {
	if advice != nil {
		advice.SuggestedDelay = nil
		if advice.Search != nil {
			advice.Search.Elapsed = nil
		}
	}
	return advice
}

func read(t *testing.T, text json.RawMessage, message proto.Message) {
	if err := protojson.Unmarshal(text, message); err != nil {
		t.Fatal(err)
	}
}
