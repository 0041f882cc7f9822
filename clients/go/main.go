// Command advisor asks an Adamas server what to play: it deals a game of DAO, shows one seat the
// ranked moves with their reasons, runs a batch of searches, watches a longer analysis grow, and plays
// the move it ends with.
//
//	go generate && go run . [host:port]
package main

//go:generate buf generate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	adamas "adamas.example/advisor/adamasv1"
)

const (
	searchTime = 500 * time.Millisecond
	// grace is what a call may take on top of its search time. Every call has a deadline.
	grace = 5 * time.Second
)

func main() {
	target := "localhost:50051"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	if err := run(context.Background(), target); err != nil {
		fmt.Fprintln(os.Stderr, explain(err))
		os.Exit(1)
	}
}

func run(ctx context.Context, target string) error {
	connection, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	rules := adamas.NewRulesServiceClient(connection)
	advisor := adamas.NewAdvisorServiceClient(connection)

	ctx, cancel := context.WithTimeout(ctx, 3*searchTime+5*grace)
	defer cancel()

	games, err := rules.ListGames(ctx, &adamas.ListGamesRequest{})
	if err != nil {
		return err
	}
	var names []string
	for _, game := range games.Games {
		names = append(names, game.Name)
	}
	fmt.Printf("This server plays %s.\n", strings.Join(names, ", "))

	started, err := rules.StartGame(ctx, &adamas.StartGameRequest{
		Options: &adamas.GameOptions{Game: &adamas.GameOptions_Dao{Dao: &adamas.DaoOptions{}}},
		Seats:   3,
	})
	if err != nil {
		return err
	}
	seat := started.Status.SeatsToMove[0]
	seen, err := rules.GetPlayerView(ctx, &adamas.GetPlayerViewRequest{State: started.State, Seat: seat})
	if err != nil {
		return err
	}

	fmt.Printf("\nWhat seat %d could play:\n", seat)
	if err := recommend(ctx, advisor, seen.View); err != nil {
		return err
	}
	fmt.Println("\nHow it depends on the depth of the search:")
	if err := compare(ctx, advisor, seen.View); err != nil {
		return err
	}
	fmt.Println("\nA longer look:")
	move, err := analyze(ctx, advisor, seen.View)
	if err != nil {
		return err
	}
	applied, err := rules.ApplyMove(ctx, &adamas.ApplyMoveRequest{
		State: started.State, Move: move, Seat: &seat,
	})
	if err != nil {
		return err
	}
	fmt.Printf("\n%s\n", strings.Join(applied.EventWords, "\n"))
	return nil
}

// recommend prints the ranked moves.
func recommend(ctx context.Context, advisor adamas.AdvisorServiceClient, view *adamas.PlayerView) error {
	ctx, cancel := context.WithTimeout(ctx, searchTime+grace)
	defer cancel()
	response, err := advisor.Recommend(ctx, &adamas.RecommendRequest{
		Query: query(view, searchTime),
	})
	if err != nil {
		return err
	}
	for i, candidate := range response.Advice.Candidates {
		fmt.Printf("%d. %s: wins %.1f %%, %.2f points\n   %s\n", i+1, candidate.Words,
			100*candidate.WinProbability, candidate.ExpectedScore, candidate.Reason)
	}
	search := response.Advice.Search
	fmt.Printf("   %d iterations (%s)\n", search.Iterations, search.StopReason)
	return nil
}

// compare searches a view to several depths at a time. Answers come as searches end; ids tell them
// apart.
func compare(ctx context.Context, advisor adamas.AdvisorServiceClient, view *adamas.PlayerView) error {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	stream, err := advisor.RecommendBatch(ctx)
	if err != nil {
		return err
	}
	for _, iterations := range []int64{10000, 1000, 100} {
		request := &adamas.RecommendRequest{
			Query: &adamas.SearchQuery{
				Position:   &adamas.SearchQuery_View{View: view},
				Limits:     &adamas.SearchLimits{Iterations: iterations},
				Candidates: 1,
			},
			RequestId: fmt.Sprintf("%d iterations", iterations),
		}
		// An error says only that the stream has ended; Recv tells why.
		if stream.Send(&adamas.RecommendBatchRequest{
			Action: &adamas.RecommendBatchRequest_Recommend{Recommend: request},
		}) != nil {
			break
		}
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	for {
		answer, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if failed := answer.GetError(); failed != nil {
			fmt.Printf("%s: %s\n", answer.RequestId, failed.Message)
		} else {
			fmt.Printf("%s: %s\n", answer.RequestId, answer.GetAdvice().Candidates[0].Words)
		}
	}
}

// analyze follows an analysis to its final answer. Cancelling the context stops the search.
func analyze(ctx context.Context, advisor adamas.AdvisorServiceClient, view *adamas.PlayerView) (*adamas.Move, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*searchTime+grace)
	defer cancel()
	stream, err := advisor.Analyze(ctx, &adamas.AnalyzeRequest{Query: query(view, 2*searchTime)})
	if err != nil {
		return nil, err
	}
	for {
		update, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the analysis ended without a final answer")
		}
		if err != nil {
			return nil, err
		}
		best := update.Advice.Candidates[0]
		fmt.Printf("%s after %d visits\n", best.Words, best.Visits)
		if update.Final {
			return update.Advice.BestMove, nil
		}
	}
}

func query(view *adamas.PlayerView, limit time.Duration) *adamas.SearchQuery {
	return &adamas.SearchQuery{
		Position:   &adamas.SearchQuery_View{View: view},
		Limits:     &adamas.SearchLimits{Time: durationpb.New(limit)},
		Candidates: 3,
	}
}

// explain says what is wrong with a request, field by field, and when to try again, where the server
// told.
func explain(err error) string {
	lines := []string{err.Error()}
	for _, detail := range status.Convert(err).Details() {
		switch detail := detail.(type) {
		case *errdetails.BadRequest:
			for _, violation := range detail.FieldViolations {
				lines = append(lines, "  "+violation.Field+": "+violation.Description)
			}
		case *errdetails.PreconditionFailure:
			for _, violation := range detail.Violations {
				lines = append(lines, "  "+violation.Subject+": "+violation.Description)
			}
		case *errdetails.RetryInfo:
			lines = append(lines, fmt.Sprintf("  try again in %v", detail.RetryDelay.AsDuration()))
		}
	}
	return strings.Join(lines, "\n")
}
