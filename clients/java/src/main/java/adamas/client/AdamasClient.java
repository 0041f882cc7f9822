package adamas.client;

import adamas.v1.Advice;
import adamas.v1.AdvisorServiceGrpc;
import adamas.v1.AnalyzeRequest;
import adamas.v1.AnalyzeResponse;
import adamas.v1.ApplyMoveRequest;
import adamas.v1.ApplyMoveResponse;
import adamas.v1.GetGameRequest;
import adamas.v1.GetGameResponse;
import adamas.v1.GetPlayerViewRequest;
import adamas.v1.GetPlayerViewResponse;
import adamas.v1.GetTableStatusRequest;
import adamas.v1.GetTableStatusResponse;
import adamas.v1.ListGamesRequest;
import adamas.v1.ListGamesResponse;
import adamas.v1.ListLegalMovesRequest;
import adamas.v1.ListLegalMovesResponse;
import adamas.v1.RecommendBatchRequest;
import adamas.v1.RecommendBatchResponse;
import adamas.v1.RecommendRequest;
import adamas.v1.RulesServiceGrpc;
import adamas.v1.SearchLimits;
import adamas.v1.SearchQuery;
import adamas.v1.StartGameRequest;
import adamas.v1.StartGameResponse;
import adamas.v1.ValidateViewRequest;
import adamas.v1.ValidateViewResponse;
import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A connection to an Adamas server, for any number of calls and threads. It is made by the first
 * call, and made again whenever it breaks.
 *
 * <p>Searches have a deadline of their own time and the grace on top; the server answers before it.
 * Calls of the referee have the grace. A call that finds no server is tried up to four times.
 */
public final class AdamasClient implements AutoCloseable {
  private static final Duration DEFAULT_SEARCH_TIME = Duration.ofSeconds(1);
  private static final Duration MAX_SEARCH_TIME = Duration.ofSeconds(60);

  /** No retries of batches: replayed by gRPC, a stream may lose what was written meanwhile. */
  private static final Map<String, Object> SERVICE_CONFIG =
      Map.of(
          "loadBalancingConfig",
          List.of(Map.of("round_robin", Map.of())),
          "methodConfig",
          List.of(
              Map.of(
                  "name",
                  List.of(
                      Map.of("service", "adamas.v1.AdvisorService", "method", "RecommendBatch"))),
              Map.of(
                  "name",
                  List.of(Map.of()),
                  "retryPolicy",
                  Map.of(
                      "maxAttempts", 4.0,
                      "initialBackoff", "0.1s",
                      "maxBackoff", "1s",
                      "backoffMultiplier", 2.0,
                      "retryableStatusCodes", List.of("UNAVAILABLE", "CANCELLED")))));

  private final ManagedChannel channel;
  private final Duration grace;
  private final CallCredentials credentials;

  private AdamasClient(ManagedChannel channel, Duration grace, CallCredentials credentials) {
    this.channel = channel;
    this.grace = grace;
    this.credentials = credentials;
  }

  /** A client of the server at {@code target}, "host:port", without TLS. */
  public static AdamasClient connect(String target) {
    return builder(target).build();
  }

  /** Settings of a client of the server at {@code target}. */
  public static Builder builder(String target) {
    return new Builder(target);
  }

  /** Searches a position and answers once. */
  public Advice recommend(SearchQuery query) {
    var request = RecommendRequest.newBuilder().setQuery(query).build();
    return call(() -> advisor(query).recommend(request)).getAdvice();
  }

  /** Searches a position; updates come every 0.2 s, the final answer last. */
  public Analysis analyze(SearchQuery query) {
    return analyze(AnalyzeRequest.newBuilder().setQuery(query).build());
  }

  /** As {@link #analyze(SearchQuery)}, with an interval of its own. */
  public Analysis analyze(AnalyzeRequest request) {
    Context.CancellableContext context = Context.current().withCancellation();
    try {
      return new Analysis(
          context, context.call(() -> advisor(request.getQuery()).analyze(request)));
    } catch (Exception failure) {
      context.cancel(failure);
      throw AdamasException.of(failure);
    }
  }

  /**
   * Opens a stream for many positions, without a deadline. Each request needs an id of its own;
   * answers come to {@code answers} as searches end. Failures are what gRPC tells: see {@link
   * AdamasException#of(Throwable)}.
   */
  public StreamObserver<RecommendBatchRequest> recommendBatch(
      StreamObserver<RecommendBatchResponse> answers) {
    return AdvisorServiceGrpc.newStub(channel)
        .withCallCredentials(credentials)
        .recommendBatch(answers);
  }

  /** The games that the server plays. */
  public ListGamesResponse listGames(ListGamesRequest request) {
    return call(() -> rules().listGames(request));
  }

  /** A game's options, variants and levels. */
  public GetGameResponse getGame(GetGameRequest request) {
    return call(() -> rules().getGame(request));
  }

  /** Deals a new game. */
  public StartGameResponse startGame(StartGameRequest request) {
    return call(() -> rules().startGame(request));
  }

  /** What a seat knows of a full state. */
  public GetPlayerViewResponse getPlayerView(GetPlayerViewRequest request) {
    return call(() -> rules().getPlayerView(request));
  }

  /** The moves of a seat. */
  public ListLegalMovesResponse listLegalMoves(ListLegalMovesRequest request) {
    return call(() -> rules().listLegalMoves(request));
  }

  /** Plays a move. */
  public ApplyMoveResponse applyMove(ApplyMoveRequest request) {
    return call(() -> rules().applyMove(request));
  }

  /** Whose turn it is, and how the game stands. */
  public GetTableStatusResponse getTableStatus(GetTableStatusRequest request) {
    return call(() -> rules().getTableStatus(request));
  }

  /** What is wrong with a view, if anything is. */
  public ValidateViewResponse validateView(ValidateViewRequest request) {
    return call(() -> rules().validateView(request));
  }

  /** Ends the connection and whatever still runs over it. */
  @Override
  public void close() {
    channel.shutdownNow();
  }

  static <T> T call(Supplier<T> supplier) {
    try {
      return supplier.get();
    } catch (RuntimeException failure) {
      throw AdamasException.of(failure);
    }
  }

  private AdvisorServiceGrpc.AdvisorServiceBlockingStub advisor(SearchQuery query) {
    return AdvisorServiceGrpc.newBlockingStub(channel)
        .withCallCredentials(credentials)
        .withDeadlineAfter(searchTime(query.getLimits()).plus(grace).toMillis(), TimeUnit.MILLISECONDS);
  }

  private RulesServiceGrpc.RulesServiceBlockingStub rules() {
    return RulesServiceGrpc.newBlockingStub(channel)
        .withCallCredentials(credentials)
        .withDeadlineAfter(grace.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Duration searchTime(SearchLimits limits) {
    if (limits.hasTime()) {
      return Duration.ofSeconds(limits.getTime().getSeconds(), limits.getTime().getNanos());
    }
    return limits.getIterations() > 0 ? MAX_SEARCH_TIME : DEFAULT_SEARCH_TIME;
  }

  /** Settings of a client. */
  public static final class Builder {
    private final String target;
    private Duration grace = Duration.ofSeconds(10);
    private ChannelCredentials tls;
    private String token;
    private boolean plaintextToken;

    private Builder(String target) {
      this.target = Objects.requireNonNull(target);
    }

    /** What a call may take on top of its search time before it fails; 10 seconds if left out. */
    public Builder grace(Duration grace) {
      this.grace = Objects.requireNonNull(grace);
      return this;
    }

    /**
     * Encrypts the connection: {@code TlsChannelCredentials.create()} trusts what this machine
     * trusts; its builder takes other authorities and a certificate of the client's own.
     */
    public Builder tls(ChannelCredentials tls) {
      this.tls = Objects.requireNonNull(tls);
      return this;
    }

    /** What the server knows this client by. */
    public Builder token(String token) {
      this.token = Objects.requireNonNull(token);
      return this;
    }

    /** Lets the token be sent to other machines without TLS. */
    public Builder plaintextToken() {
      this.plaintextToken = true;
      return this;
    }

    /**
     * The client; nothing is sent yet.
     *
     * @throws IllegalStateException if others could read the token on its way
     */
    public AdamasClient build() {
      ChannelCredentials transport = tls == null ? InsecureChannelCredentials.create() : tls;
      return build(Grpc.newChannelBuilder(target, transport));
    }

    AdamasClient build(ManagedChannelBuilder<?> channel) {
      if (token != null && tls == null && !plaintextToken && !Loopback.isTarget(target)) {
        throw new IllegalStateException(
            "without TLS, others could read the token on its way to "
                + target
                + "; set tls, or plaintextToken where the way is safe");
      }
      return new AdamasClient(
          channel.defaultServiceConfig(SERVICE_CONFIG).enableRetry().build(),
          grace,
          token == null ? null : new BearerToken(token));
    }
  }
}
