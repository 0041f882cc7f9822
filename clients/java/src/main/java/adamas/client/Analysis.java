package adamas.client;

import adamas.v1.AnalyzeResponse;
import io.grpc.Context;
import java.util.Iterator;

/**
 * A running search whose answer grows. Iterate over the updates; the last one is final. Closing it
 * stops the search.
 *
 * <pre>{@code
 * try (Analysis analysis = client.analyze(query)) {
 *   for (AnalyzeResponse update : analysis) { ... }
 * }
 * }</pre>
 */
public final class Analysis implements Iterable<AnalyzeResponse>, AutoCloseable {
  private final Context.CancellableContext context;
  private final Iterator<AnalyzeResponse> updates;

  Analysis(Context.CancellableContext context, Iterator<AnalyzeResponse> updates) {
    this.context = context;
    this.updates = updates;
  }

  /** The updates, each once, however often this is called. Fails with {@link AdamasException}. */
  @Override
  public Iterator<AnalyzeResponse> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return AdamasClient.call(updates::hasNext);
      }

      @Override
      public AnalyzeResponse next() {
        return AdamasClient.call(updates::next);
      }
    };
  }

  /** Stops the search, if it still runs. */
  @Override
  public void close() {
    context.cancel(null);
  }
}
