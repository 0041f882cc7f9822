// What the client adds to the generated calls, against services in this process.

import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import assert from "node:assert/strict";
import { test } from "node:test";

import { AdamasError, connect, durationFromMs } from "../src/node.js";
import { connect as connectWeb } from "../src/web.js";
import { BadRequestSchema, RetryInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";
import { AdvisorService, RulesService, SearchErrorSchema } from "../src/v1.js";
import { clientOf, create } from "./support.js";

const unavailable = () => new ConnectError("nobody there", Code.Unavailable);
const answer = { advice: { legalMoves: 7 } };

test("calls are tried again while no server can be had", async () => {
  let calls = 0;
  const client = clientOf(({ service }) => {
    service(AdvisorService, {
      recommend: () => {
        if (++calls < 3) throw unavailable();
        return answer;
      },
    });
  });
  assert.equal((await client.recommend({})).legalMoves, 7);
  assert.equal(calls, 3);
});

test("they are given up after four attempts", async () => {
  let calls = 0;
  const client = clientOf(({ service }) => {
    service(RulesService, {
      listGames: () => {
        calls++;
        throw unavailable();
      },
    });
  });
  await assert.rejects(client.rules.listGames({}), { code: Code.Unavailable });
  assert.equal(calls, 4);
});

test("other errors are not tried again, and say what is wrong and when to come back", async () => {
  let calls = 0;
  const violation = { field: "query.candidates", description: "is -1; use 0 to 1000" };
  const client = clientOf(({ service }) => {
    service(AdvisorService, {
      recommend: () => {
        calls++;
        throw new ConnectError("no", Code.ResourceExhausted, undefined, [
          { desc: BadRequestSchema, value: { fieldViolations: [violation] } },
          { desc: RetryInfoSchema, value: { retryDelay: durationFromMs(1500) } },
        ]);
      },
    });
  });
  await assert.rejects(client.recommend({}), (error: unknown) => {
    assert(error instanceof AdamasError);
    assert.equal(error.code, Code.ResourceExhausted);
    assert.deepEqual(error.violations, [violation]);
    assert.equal(error.retryAfter, 1.5);
    return true;
  });
  assert.equal(calls, 1);
});

test("an analysis begins anew if no server was there, but not in the middle", async () => {
  let calls = 0;
  const client = clientOf(({ service }) => {
    service(AdvisorService, {
      async *analyze() {
        if (++calls === 1) throw unavailable();
        yield answer;
        throw unavailable();
      },
    });
  });
  const found = [];
  await assert.rejects(
    async () => {
      for await (const update of client.analyze({})) found.push(update);
    },
    (error: unknown) => error instanceof AdamasError && error.code === Code.Unavailable,
  );
  assert.equal(calls, 2);
  assert.equal(found.length, 1);
});

test("leaving the loop of an analysis stops it", async () => {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const client = clientOf(({ service }) => {
    service(AdvisorService, {
      async *analyze(_request: unknown, { signal }: HandlerContext) {
        signal.addEventListener("abort", stop);
        yield answer;
        await stopped;
      },
    });
  });
  for await (const update of client.analyze({})) {
    assert.equal(update.final, false);
    break;
  }
  await stopped;
});

test("a signal ends a call and the wait for its next attempt", async () => {
  const call = new AbortController();
  let calls = 0;
  const client = clientOf(({ service }) => {
    service(AdvisorService, {
      recommend: () => {
        calls++;
        setTimeout(() => call.abort(), 10);
        throw unavailable();
      },
    });
  });
  await assert.rejects(client.recommend({}, { signal: call.signal }));
  assert.equal(calls, 1);
});

test("a deadline leaves the search its time, and the grace on top", async () => {
  const left: number[] = [];
  const client = clientOf(
    ({ service }) => {
      service(AdvisorService, {
        recommend: (_request: unknown, context: HandlerContext) => {
          left.push(context.timeoutMs()! / 1000);
          return answer;
        },
      });
    },
    { grace: 5 },
  );
  await client.recommend({ limits: { time: durationFromMs(2000) } });
  await client.recommend({ limits: { iterations: 1000n } });
  await client.recommend({});
  await client.recommend({}, { timeout: 3 });
  for (const [index, seconds] of [7, 65, 6, 3].entries()) {
    assert(Math.abs(left[index]! - seconds) < 0.5, `${left[index]} is not ${seconds}`);
  }
});

test("a token is sent along, but not in plain text to another machine", async () => {
  let authorization: string | null = null;
  const client = clientOf(
    ({ service }) => {
      service(AdvisorService, {
        recommend: (_request: unknown, { requestHeader }: HandlerContext) => {
          authorization = requestHeader.get("authorization");
          return answer;
        },
      });
    },
    { token: "secret" },
  );
  await client.recommend({});
  assert.equal(authorization, "Bearer secret");
  assert.throws(() => connect("play.example:50051", { token: "secret" }), /plain text/);
  assert.throws(() => connectWeb("http://play.example", { token: "secret" }), /plain text/);
  connect("play.example:50051", { token: "secret", tls: true });
  connectWeb("https://play.example", { token: "secret" });
});

test("errors of single searches are errors like those of calls", () => {
  const violation = { field: "query.seed", description: "is missing" };
  const bad = create(BadRequestSchema, { fieldViolations: [violation] });
  const error = AdamasError.fromSearch(
    create(SearchErrorSchema, { code: 3, message: "no", details: [anyPack(BadRequestSchema, bad)] }),
  );
  assert.equal(error.code, Code.InvalidArgument);
  assert.deepEqual(error.violations, [violation]);
});
