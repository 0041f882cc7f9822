// Command hint asks an Adamas server what to play: it deals a game of DAO, shows one seat the ranked
// moves with their reasons, watches a longer analysis grow, stops it once it is clear enough, and
// plays the move.
//
//	go generate ./... && go run ./example/hint [host:port]
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"adamas.example/adamas"
	"adamas.example/adamas/adamasv1"
)

// clearEnough is how often the best move has been tried when the analysis is stopped.
const clearEnough = 20000

func main() {
	target := "localhost:50051"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, target); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, target string) error {
	client, err := adamas.New(target)
	if err != nil {
		return err
	}
	defer client.Close()

	games, err := client.Rules.ListGames(ctx, &adamasv1.ListGamesRequest{})
	if err != nil {
		return err
	}
	var names []string
	for _, game := range games.Games {
		names = append(names, game.Name)
	}
	fmt.Printf("This server plays %s.\n", strings.Join(names, ", "))

	started, err := client.Rules.StartGame(ctx, &adamasv1.StartGameRequest{
		Options: &adamasv1.GameOptions{Game: &adamasv1.GameOptions_Dao{Dao: &adamasv1.DaoOptions{}}},
		Seats:   3,
	})
	if err != nil {
		return err
	}
	seat := started.Status.SeatsToMove[0]
	seen, err := client.Rules.GetPlayerView(ctx, &adamasv1.GetPlayerViewRequest{
		State: started.State, Seat: seat,
	})
	if err != nil {
		return err
	}
	query := &adamasv1.SearchQuery{
		Position:   &adamasv1.SearchQuery_View{View: seen.View},
		Limits:     &adamasv1.SearchLimits{Time: durationpb.New(200 * time.Millisecond)},
		Candidates: 3,
	}

	fmt.Printf("\nWhat seat %d could play:\n", seat)
	advice, err := client.Recommend(ctx, query)
	if err != nil {
		return err
	}
	for i, candidate := range advice.Candidates {
		fmt.Printf("%d. %s: wins %.1f %%, %.2f points\n   %s\n", i+1, candidate.Words,
			100*candidate.WinProbability, candidate.ExpectedScore, candidate.Reason)
	}

	fmt.Println("\nA longer look:")
	query.Limits.Time = durationpb.New(5 * time.Second)
	move := advice.BestMove
	for update, err := range client.Analyze(ctx, query, 0) {
		if err != nil {
			return err
		}
		best := update.Advice.Candidates[0]
		fmt.Printf("%s after %d visits\n", best.Words, best.Visits)
		move = update.Advice.BestMove
		if best.Visits >= clearEnough {
			break
		}
	}

	applied, err := client.Rules.ApplyMove(ctx, &adamasv1.ApplyMoveRequest{
		State: started.State, Move: move, Seat: &seat,
	})
	if err != nil {
		return err
	}
	fmt.Printf("\n%s\n", strings.Join(applied.EventWords, "\n"))
	return nil
}
