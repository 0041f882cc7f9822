package adamas.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import adamas.v1.Advice;
import adamas.v1.AnalyzeRequest;
import adamas.v1.AnalyzeResponse;
import adamas.v1.ApplyMoveRequest;
import adamas.v1.GetGameRequest;
import adamas.v1.GetPlayerViewRequest;
import adamas.v1.GetTableStatusRequest;
import adamas.v1.ListGamesRequest;
import adamas.v1.ListLegalMovesRequest;
import adamas.v1.RecommendBatchRequest;
import adamas.v1.RecommendBatchResponse;
import adamas.v1.RecommendRequest;
import adamas.v1.RecommendResponse;
import adamas.v1.StartGameRequest;
import adamas.v1.ValidateViewRequest;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The vectors of clients/conformance: answers are those of all clients. */
@EnabledIfEnvironmentVariable(named = "ADAMAS_TARGET", matches = ".+")
class ConformanceTest {
  private static final Path VECTORS = Path.of("..", "conformance", "vectors");
  private static final JsonFormat.Parser JSON =
      JsonFormat.parser()
          .usingTypeRegistry(
              JsonFormat.TypeRegistry.newBuilder()
                  .add(BadRequest.getDescriptor())
                  .add(ErrorInfo.getDescriptor())
                  .add(RetryInfo.getDescriptor())
                  .build());

  private static AdamasClient client;

  @BeforeAll
  static void connect() {
    client = AdamasClient.connect(System.getenv("ADAMAS_TARGET"));
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  @TestFactory
  Stream<DynamicTest> answersAreThoseOfAllClients() throws IOException {
    try (Stream<Path> paths = Files.list(VECTORS)) {
      return paths.sorted().toList().stream()
          .map(path -> DynamicTest.dynamicTest(path.getFileName().toString(), () -> check(path)));
    }
  }

  private void check(Path path) throws Exception {
    JsonObject vector = JsonParser.parseString(Files.readString(path)).getAsJsonObject();
    if (vector.has("error")) {
      checkError(vector.getAsJsonObject("error"), vector);
      return;
    }
    List<Message> responses = ask(vector);
    JsonArray expected = vector.getAsJsonArray("responses");
    assertEquals(expected.size(), responses.size());
    for (int i = 0; i < responses.size(); i++) {
      Message response = responses.get(i);
      assertEquals(read(expected.get(i), response.newBuilderForType()), response);
    }
  }

  private void checkError(JsonObject expected, JsonObject vector) {
    AdamasException failure = assertThrows(AdamasException.class, () -> ask(vector));
    assertEquals(expected.get("code").getAsString(), failure.code().name());
    List<Violation> violations = new ArrayList<>();
    for (JsonElement violation : expected.getAsJsonArray("violations")) {
      JsonObject v = violation.getAsJsonObject();
      violations.add(new Violation(v.get("field").getAsString(), v.get("description").getAsString()));
    }
    assertEquals(violations, failure.violations());
    String told = failure.code() + ": " + expected.get("message").getAsString();
    assertEquals(told, failure.getMessage().substring(0, told.length()));
  }

  /** Makes a vector's call, and clears what can't be compared. */
  private List<Message> ask(JsonObject vector) throws Exception {
    JsonArray requests = vector.getAsJsonArray("requests");
    JsonElement first = requests.get(0);
    switch (vector.get("call").getAsString()) {
      case "AdvisorService/Recommend":
        RecommendRequest recommend = read(first, RecommendRequest.newBuilder());
        var advice = client.recommend(recommend.getQuery());
        return List.of(
            RecommendResponse.newBuilder()
                .setRequestId(recommend.getRequestId())
                .setAdvice(timeless(advice))
                .build());
      case "AdvisorService/Analyze":
        return List.of(last(read(first, AnalyzeRequest.newBuilder())));
      case "AdvisorService/RecommendBatch":
        return batch(requests);
      case "RulesService/ListGames":
        return List.of(client.listGames(read(first, ListGamesRequest.newBuilder())));
      case "RulesService/GetGame":
        return List.of(client.getGame(read(first, GetGameRequest.newBuilder())));
      case "RulesService/StartGame":
        return List.of(client.startGame(read(first, StartGameRequest.newBuilder())));
      case "RulesService/GetPlayerView":
        return List.of(client.getPlayerView(read(first, GetPlayerViewRequest.newBuilder())));
      case "RulesService/ListLegalMoves":
        return List.of(client.listLegalMoves(read(first, ListLegalMovesRequest.newBuilder())));
      case "RulesService/ApplyMove":
        return List.of(client.applyMove(read(first, ApplyMoveRequest.newBuilder())));
      case "RulesService/GetTableStatus":
        return List.of(client.getTableStatus(read(first, GetTableStatusRequest.newBuilder())));
      case "RulesService/ValidateView":
        return List.of(client.validateView(read(first, ValidateViewRequest.newBuilder())));
      default:
        throw new IllegalArgumentException("no call " + vector.get("call"));
    }
  }

  private AnalyzeResponse last(AnalyzeRequest request) {
    AnalyzeResponse last = null;
    try (Analysis analysis = client.analyze(request)) {
      for (AnalyzeResponse update : analysis) {
        last = update;
      }
    }
    return last.toBuilder().setAdvice(timeless(last.getAdvice())).build();
  }

  private List<Message> batch(JsonArray requests) throws Exception {
    List<RecommendBatchResponse> found = new ArrayList<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    StreamObserver<RecommendBatchRequest> batch =
        client.recommendBatch(
            new StreamObserver<>() {
              @Override
              public void onNext(RecommendBatchResponse response) {
                found.add(response);
              }

              @Override
              public void onError(Throwable failure) {
                over.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                over.complete(null);
              }
            });
    for (JsonElement request : requests) {
      batch.onNext(read(request, RecommendBatchRequest.newBuilder()));
    }
    batch.onCompleted();
    over.get(60, TimeUnit.SECONDS);
    return found.stream()
        .sorted(Comparator.comparing(RecommendBatchResponse::getRequestId))
        .map(ConformanceTest::comparable)
        .toList();
  }

  private static Message comparable(RecommendBatchResponse response) {
    var builder = response.toBuilder();
    if (response.hasAdvice()) {
      builder.setAdvice(timeless(response.getAdvice()));
    } else {
      builder.getErrorBuilder().clearDetails();
    }
    return builder.build();
  }

  private static Advice timeless(Advice advice) {
    Advice.Builder builder = advice.toBuilder().clearSuggestedDelay();
    builder.getSearchBuilder().clearElapsed();
    return builder.build();
  }

  /** The message of a builder's type; the cast is the one that generated builders promise. */
  @SuppressWarnings("unchecked")
  private static <M extends Message> M read(JsonElement json, Message.Builder builder)
      throws IOException {
    JSON.merge(json.toString(), builder);
    return (M) builder.build();
  }
}
