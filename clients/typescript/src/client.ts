import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
import {
  createClient,
  type CallOptions,
  type Client as ConnectClient,
  type Interceptor,
  type Transport,
} from "@connectrpc/connect";

import { AdamasError, readableErrors } from "./errors.js";
import {
  AdvisorService,
  SearchQuerySchema,
  type Advice,
  type RecommendBatchRequestSchema,
  type RecommendBatchResponse,
  type SearchQuery,
} from "./gen/adamas/v1/advisor_service_pb.js";
import { RulesService } from "./gen/adamas/v1/rules_service_pb.js";
import { isUnavailable, mayRetry, retries } from "./retries.js";

const GRACE_SECONDS = 10;
const DEFAULT_SEARCH_SECONDS = 1;
const MOST_SEARCH_SECONDS = 60;

/** What can be said about a call. */
export interface CallSettings {
  /** Ends the call, and its search, when it is aborted. */
  signal?: AbortSignal;
  /** Seconds until the call is given up; by default the search time and the client's grace. */
  timeout?: number;
}

/** What can be said about a client, wherever it runs. */
export interface ClientSettings {
  /** The token that says who calls. */
  token?: string;
  /** Seconds that a call may take on top of its search time; 10 by default. */
  grace?: number;
}

/** One answer of an analysis; the last one is final. */
export interface Update {
  readonly advice: Advice;
  readonly final: boolean;
}

type Query = MessageInitShape<typeof SearchQuerySchema>;

/** Asks one server what to play. Made by `connect` of "adamas-client/node" or "adamas-client/web". */
export class Client {
  /** The referee: deal, view, legal moves, apply. */
  readonly rules: ConnectClient<typeof RulesService>;
  readonly #advisor: ConnectClient<typeof AdvisorService>;
  readonly #grace: number;

  constructor(transport: Transport, settings: ClientSettings = {}) {
    this.rules = createClient(RulesService, transport);
    this.#advisor = createClient(AdvisorService, transport);
    this.#grace = settings.grace ?? GRACE_SECONDS;
  }

  /** Searches a position and answers once. */
  async recommend(query: Query, settings: CallSettings = {}): Promise<Advice> {
    const asked = create(SearchQuerySchema, query);
    const response = await this.#advisor.recommend({ query: asked }, this.#options(asked, settings));
    return required(response.advice);
  }

  /**
   * Searches a position and yields growing answers, the final one last. Leaving the loop stops the
   * search.
   *
   * @param interval Seconds between two answers; by default the server's 0.2.
   */
  async *analyze(
    query: Query,
    { interval, ...settings }: CallSettings & { interval?: number } = {},
  ): AsyncGenerator<Update, void, undefined> {
    const asked = create(SearchQuerySchema, query);
    const updateInterval = interval === undefined ? undefined : durationFromMs(interval * 1000);
    const request = { query: asked, ...(updateInterval && { updateInterval }) };
    for (let attempt = 1; ; attempt++) {
      let begun = false;
      try {
        for await (const response of this.#advisor.analyze(request, this.#options(asked, settings))) {
          begun = true;
          yield { advice: required(response.advice), final: response.final };
        }
        return;
      } catch (reason) {
        const retry = !begun && isUnavailable(reason);
        if (!retry || !(await mayRetry(attempt, settings.signal))) throw reason;
      }
    }
  }

  /**
   * Searches many positions side by side and yields each answer, or error, as its search ends;
   * `requestId` says which. Not in browsers: they can't send a stream while they receive one.
   */
  recommendBatch(
    requests: AsyncIterable<MessageInitShape<typeof RecommendBatchRequestSchema>>,
    settings: CallSettings = {},
  ): AsyncIterable<RecommendBatchResponse> {
    return this.#advisor.recommendBatch(requests, options(settings, settings.timeout));
  }

  #options(query: SearchQuery, settings: CallSettings): CallOptions {
    return options(settings, settings.timeout ?? searchSeconds(query) + this.#grace);
  }
}

/** What every client does around its calls, whatever carries them. */
export function interceptors({ token }: ClientSettings): Interceptor[] {
  const authorize: Interceptor = (next) => (request) => {
    if (token !== undefined) request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
  return [authorize, retries, readableErrors];
}

/** Milliseconds in which a call that searches nothing is given up. */
export function defaultTimeoutMs({ grace }: ClientSettings): number {
  return (grace ?? GRACE_SECONDS) * 1000;
}

/** Throws unless it is safe to send a token to a server. */
export function checkToken(url: URL, { token }: ClientSettings): void {
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (token !== undefined && url.protocol !== "https:" && !local) {
    throw new TypeError(`the token would go to ${url.host} in plain text; use TLS (https)`);
  }
}

function options({ signal }: CallSettings, timeout: number | undefined): CallOptions {
  return {
    ...(signal && { signal }),
    // 0 means none, whatever is the transport's.
    timeoutMs: timeout === undefined ? 0 : timeout * 1000,
  };
}

/** How long a search may take. */
function searchSeconds({ limits }: SearchQuery): number {
  if (limits?.time) return durationMs(limits.time) / 1000;
  return limits?.iterations ? MOST_SEARCH_SECONDS : DEFAULT_SEARCH_SECONDS;
}

function required(advice: Advice | undefined): Advice {
  if (advice === undefined) throw AdamasError.from("the server sent an answer without advice");
  return advice;
}
