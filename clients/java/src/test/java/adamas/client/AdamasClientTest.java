package adamas.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import adamas.v1.Advice;
import adamas.v1.AdvisorServiceGrpc;
import adamas.v1.AnalyzeRequest;
import adamas.v1.AnalyzeResponse;
import adamas.v1.RecommendRequest;
import adamas.v1.RecommendResponse;
import adamas.v1.SearchLimits;
import adamas.v1.SearchQuery;
import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client adds to the stubs, against a server whose answers a test writes. */
class AdamasClientTest {
  private final AtomicReference<String> token = new AtomicReference<>();
  private Server server;
  private AdamasClient client;

  private void serve(
      Consumer<StreamObserver<RecommendResponse>> recommend,
      Consumer<StreamObserver<AnalyzeResponse>> analyze,
      Consumer<AdamasClient.Builder> settings)
      throws IOException {
    var service =
        new AdvisorServiceGrpc.AdvisorServiceImplBase() {
          @Override
          public void recommend(RecommendRequest request, StreamObserver<RecommendResponse> answer) {
            recommend.accept(answer);
          }

          @Override
          public void analyze(AnalyzeRequest request, StreamObserver<AnalyzeResponse> answer) {
            analyze.accept(answer);
          }
        };
    var tokens =
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            token.set(
                headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER)));
            return next.startCall(call, headers);
          }
        };
    String name = InProcessServerBuilder.generateName();
    server =
        InProcessServerBuilder.forName(name).addService(service).intercept(tokens).build().start();
    var builder = AdamasClient.builder("localhost:50051");
    settings.accept(builder);
    client = builder.build(InProcessChannelBuilder.forName(name));
  }

  private void serve(Consumer<StreamObserver<RecommendResponse>> recommend) throws IOException {
    serve(recommend, answer -> {}, settings -> {});
  }

  @AfterEach
  void stop() {
    if (client != null) {
      client.close();
      server.shutdownNow();
    }
  }

  @Test
  void anErrorTellsFieldsAndWhenToTryAgain() throws IOException {
    var wrong =
        BadRequest.newBuilder()
            .addFieldViolations(
                BadRequest.FieldViolation.newBuilder()
                    .setField("query.level")
                    .setDescription("is 11; use 1 to 10"))
            .build();
    var retry =
        RetryInfo.newBuilder()
            .setRetryDelay(
                com.google.protobuf.Duration.newBuilder().setSeconds(1).setNanos(500_000_000))
            .build();
    var refusal =
        com.google.rpc.Status.newBuilder()
            .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
            .setMessage("too much to do")
            .addDetails(Any.pack(retry))
            .addDetails(Any.pack(wrong))
            .build();
    serve(answer -> answer.onError(StatusProto.toStatusRuntimeException(refusal)));
    var failure = assertThrows(AdamasException.class, () -> client.recommend(query()));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, failure.code());
    assertEquals(List.of(new Violation("query.level", "is 11; use 1 to 10")), failure.violations());
    assertEquals(Optional.of(Duration.ofMillis(1500)), failure.retryAfter());
    assertEquals(
        "RESOURCE_EXHAUSTED: too much to do\n  query.level: is 11; use 1 to 10",
        failure.getMessage());
  }

  @Test
  void aCallHasADeadlineOfItsSearchTimeAndTheGrace() throws IOException {
    AtomicReference<Long> left = new AtomicReference<>();
    serve(
        answer -> {
          left.set(Context.current().getDeadline().timeRemaining(TimeUnit.MILLISECONDS));
          finish(answer);
        },
        answer -> {},
        settings -> settings.grace(Duration.ofSeconds(5)));
    var time = com.google.protobuf.Duration.newBuilder().setSeconds(20);
    client.recommend(
        SearchQuery.newBuilder().setLimits(SearchLimits.newBuilder().setTime(time)).build());
    assertTrue(left.get() > 20_000 && left.get() <= 25_000, left + " ms left");
  }

  @Test
  void aTryIsMadeAgainWhileNoServerCanBeHad() throws IOException {
    AtomicInteger tries = new AtomicInteger();
    serve(
        answer -> {
          if (tries.incrementAndGet() < 3) {
            answer.onError(Status.UNAVAILABLE.asRuntimeException());
          } else {
            finish(answer);
          }
        });
    assertEquals(4, client.recommend(query()).getLegalMoves());
    assertEquals(3, tries.get());
  }

  @Test
  void closingAnAnalysisStopsTheSearch() throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    serve(
        answer -> {},
        answer -> {
          ((ServerCallStreamObserver<AnalyzeResponse>) answer)
              .setOnCancelHandler(stopped::countDown);
          answer.onNext(AnalyzeResponse.getDefaultInstance());
        },
        settings -> {});
    try (Analysis analysis = client.analyze(query())) {
      assertTrue(analysis.iterator().hasNext());
    }
    assertTrue(stopped.await(10, TimeUnit.SECONDS), "the search went on");
  }

  @Test
  void anAnalysisFailsAsACallDoes() throws IOException {
    serve(
        answer -> {},
        answer -> answer.onError(Status.INVALID_ARGUMENT.asRuntimeException()),
        settings -> {});
    try (Analysis analysis = client.analyze(query())) {
      var failure = assertThrows(AdamasException.class, () -> analysis.iterator().hasNext());
      assertEquals(Status.Code.INVALID_ARGUMENT, failure.code());
    }
  }

  @Test
  void aTokenIsSentWithEveryCall() throws IOException {
    serve(AdamasClientTest::finish, answer -> {}, settings -> settings.token("secret"));
    client.recommend(query());
    assertEquals("Bearer secret", token.get());
  }

  @Test
  void withoutATokenNoneIsSent() throws IOException {
    serve(AdamasClientTest::finish);
    client.recommend(query());
    assertNull(token.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"example.com:50051", "dns:///example.com:50051", "10.0.0.1:50051"})
  void aTokenIsNotSentInTheOpen(String target) {
    var builder = AdamasClient.builder(target).token("secret");
    assertThrows(IllegalStateException.class, builder::build);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:50051", "127.0.0.1:50051", "[::1]:50051", "dns:///localhost:1"})
  void toThisMachineATokenMayGo(String target) {
    AdamasClient.builder(target).token("secret").build().close();
  }

  private static SearchQuery query() {
    return SearchQuery.getDefaultInstance();
  }

  private static void finish(StreamObserver<RecommendResponse> answer) {
    answer.onNext(
        RecommendResponse.newBuilder().setAdvice(Advice.newBuilder().setLegalMoves(4)).build());
    answer.onCompleted();
  }
}
