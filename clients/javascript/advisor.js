// Asks an Adamas server what to play: deals a game of DAO, shows one seat the ranked moves with
// their reasons, runs a batch of searches, watches a longer analysis grow, and plays the move it ends
// with.
//
//   npm install
//   node advisor.js [host:port]

import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { explain } from "./errors.js";

const PROTOS = fileURLToPath(new URL("../../protos", import.meta.url));
const SERVICES = ["adamas/v1/rules_service.proto", "adamas/v1/advisor_service.proto"];
const SEARCH_SECONDS = 0.5;
const GRACE_SECONDS = 5;

// Field names become camelCase. 64-bit numbers stay strings and lose no digit, since a state has to
// go back as it came. Fields that are zero or empty are filled in.
const { adamas } = grpc.loadPackageDefinition(
  loadSync(SERVICES, { includeDirs: [PROTOS], longs: String, enums: String, defaults: true }),
);

/** Makes a unary call. Every call has a deadline. */
function call(client, method, request, seconds = GRACE_SECONDS) {
  const deadline = Date.now() + seconds * 1000;
  return new Promise((resolve, reject) => {
    client[method](request, { deadline }, (error, response) =>
      error ? reject(error) : resolve(response),
    );
  });
}

/** A google.protobuf.Duration. */
function duration(seconds) {
  return { seconds: Math.floor(seconds), nanos: Math.round((seconds % 1) * 1e9) };
}

/** Prints one line a candidate. */
function printRanking({ candidates, search }) {
  for (const [index, candidate] of candidates.entries()) {
    const win = (100 * candidate.winProbability).toFixed(1);
    const score = candidate.expectedScore.toFixed(2);
    console.log(`${index + 1}. ${candidate.words}: wins ${win} %, ${score} points`);
    console.log(`   ${candidate.reason}`);
  }
  console.log(`   ${search.iterations} iterations (${search.stopReason})`);
}

/** Searches a view to several depths at a time. Answers come as searches end; ids tell them apart. */
async function compare(advisor, view) {
  const stream = advisor.recommendBatch({ deadline: Date.now() + GRACE_SECONDS * 1000 });
  for (const iterations of [10000, 1000, 100]) {
    const query = { view, limits: { iterations }, candidates: 1 };
    stream.write({ recommend: { query, requestId: `${iterations} iterations` } });
  }
  stream.end();
  for await (const { requestId, advice, error } of stream) {
    console.log(`${requestId}: ${error ? error.message : advice.candidates[0].words}`);
  }
}

/** Follows an analysis to its final answer. Cancelling the call would stop the search. */
async function analyze(advisor, view) {
  const stream = advisor.analyze(
    { query: { view, limits: { time: duration(2 * SEARCH_SECONDS) } } },
    { deadline: Date.now() + (2 * SEARCH_SECONDS + GRACE_SECONDS) * 1000 },
  );
  for await (const { advice, final } of stream) {
    const [best] = advice.candidates;
    console.log(`${final ? "final: " : "so far:"} ${best.words} after ${best.visits} visits`);
    if (final) return advice;
  }
  throw new Error("the analysis ended without a final answer");
}

async function main(target) {
  const credentials = grpc.credentials.createInsecure();
  const rules = new adamas.v1.RulesService(target, credentials);
  const advisor = new adamas.v1.AdvisorService(target, credentials);
  try {
    const { games } = await call(rules, "listGames", {});
    console.log(`This server plays ${games.map((game) => game.name).join(", ")}.`);

    const { state, status } = await call(rules, "startGame", { options: { dao: {} }, seats: 3 });
    const seat = status.seatsToMove[0];
    const { view } = await call(rules, "getPlayerView", { state, seat });

    console.log(`\nWhat seat ${seat} could play:`);
    const query = { view, limits: { time: duration(SEARCH_SECONDS) }, candidates: 3 };
    const { advice } = await call(
      advisor,
      "recommend",
      { query },
      SEARCH_SECONDS + GRACE_SECONDS,
    );
    printRanking(advice);

    console.log("\nHow it depends on the depth of the search:");
    await compare(advisor, view);

    console.log("\nA longer look:");
    const { bestMove } = await analyze(advisor, view);
    const { eventWords } = await call(rules, "applyMove", { state, move: bestMove, seat });
    console.log(`\n${eventWords.join("\n")}`);
  } finally {
    rules.close();
    advisor.close();
  }
}

main(process.argv[2] ?? "localhost:50051").catch((error) => {
  console.error(explain(error));
  process.exitCode = 1;
});
