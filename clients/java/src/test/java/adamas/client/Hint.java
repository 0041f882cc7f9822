package adamas.client;

import adamas.v1.AnalyzeResponse;
import adamas.v1.ApplyMoveRequest;
import adamas.v1.Candidate;
import adamas.v1.DaoOptions;
import adamas.v1.GameOptions;
import adamas.v1.GameSummary;
import adamas.v1.GetPlayerViewRequest;
import adamas.v1.ListGamesRequest;
import adamas.v1.Move;
import adamas.v1.SearchLimits;
import adamas.v1.SearchQuery;
import adamas.v1.StartGameRequest;
import com.google.protobuf.Duration;
import java.util.stream.Collectors;

/**
 * Asks an Adamas server what to play: deals a game of DAO, shows one seat the ranked moves with
 * their reasons, watches a longer analysis grow, stops it once it is clear enough, and plays the
 * move.
 */
public final class Hint {
  private static final int CLEAR_ENOUGH = 20_000;

  private Hint() {}

  /** Arguments: the server's address, localhost:50051 if left out. */
  public static void main(String[] arguments) {
    String target = arguments.length > 0 ? arguments[0] : "localhost:50051";
    try (AdamasClient client = AdamasClient.connect(target)) {
      run(client);
    } catch (AdamasException failure) {
      System.err.println(failure.getMessage());
      System.exit(1);
    }
  }

  private static void run(AdamasClient client) {
    String names =
        client.listGames(ListGamesRequest.getDefaultInstance()).getGamesList().stream()
            .map(GameSummary::getName)
            .collect(Collectors.joining(", "));
    System.out.printf("This server plays %s.%n", names);

    var started =
        client.startGame(
            StartGameRequest.newBuilder()
                .setOptions(GameOptions.newBuilder().setDao(DaoOptions.getDefaultInstance()))
                .setSeats(3)
                .build());
    int seat = started.getStatus().getSeatsToMove(0);
    var view =
        client
            .getPlayerView(
                GetPlayerViewRequest.newBuilder().setState(started.getState()).setSeat(seat).build())
            .getView();
    var query =
        SearchQuery.newBuilder()
            .setView(view)
            .setLimits(limit(Duration.newBuilder().setNanos(200_000_000)))
            .setCandidates(3);

    System.out.printf("%nWhat seat %d could play:%n", seat);
    int rank = 1;
    for (Candidate candidate : client.recommend(query.build()).getCandidatesList()) {
      System.out.printf(
          "%d. %s: wins %.1f %%, %.2f points%n   %s%n",
          rank++,
          candidate.getWords(),
          100 * candidate.getWinProbability(),
          candidate.getExpectedScore(),
          candidate.getReason());
    }

    System.out.printf("%nA longer look:%n");
    query.setLimits(limit(Duration.newBuilder().setSeconds(5)));
    Move move = Move.getDefaultInstance();
    try (Analysis analysis = client.analyze(query.build())) {
      for (AnalyzeResponse update : analysis) {
        Candidate best = update.getAdvice().getCandidates(0);
        System.out.printf("%s after %d visits%n", best.getWords(), best.getVisits());
        move = best.getMove();
        if (best.getVisits() >= CLEAR_ENOUGH) {
          break;
        }
      }
    }

    var applied =
        client.applyMove(
            ApplyMoveRequest.newBuilder()
                .setState(started.getState())
                .setMove(move)
                .setSeat(seat)
                .build());
    System.out.printf("%n%s%n", String.join("\n", applied.getEventWordsList()));
  }

  private static SearchLimits limit(Duration.Builder time) {
    return SearchLimits.newBuilder().setTime(time).build();
  }
}
