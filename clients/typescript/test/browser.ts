// A page that calls in every way that a browser can, and posts what came of it to `results`.

import { AdamasError, Code, connect, durationFromMs, type Client } from "../src/web.js";
import { StopReason } from "../src/v1.js";

const server = new URLSearchParams(location.search).get("server")!;
const view = async (client: Client) => {
  const options = { game: { case: "dao" as const, value: {} } };
  const { state, status } = await client.rules.startGame({ options, seats: 3, seed: 7n });
  const seat = status!.seatsToMove[0]!;
  return (await client.rules.getPlayerView({ state: state!, seat })).view!;
};

async function scenarios(client: Client) {
  const position = { case: "view" as const, value: await view(client) };
  const slow = { position, limits: { time: durationFromMs(15_000) } };

  const advice = await client.recommend({ position, limits: { iterations: 200n }, seed: 3n });

  const updates: [bigint, boolean][] = [];
  const second = { position, limits: { time: durationFromMs(1000) } };
  for await (const { advice, final } of client.analyze(second, { interval: 0.1 })) {
    updates.push([advice.search!.iterations, final]);
  }

  const refused = await client.recommend({ position, candidates: -1 }).catch(AdamasError.from);

  const call = new AbortController();
  setTimeout(() => call.abort(), 2000);
  const aborted = await client.recommend(slow, { signal: call.signal }).catch(AdamasError.from);

  let seen = 0;
  for await (const _ of client.analyze(slow, { interval: 0.1 })) if (++seen === 2) break;

  const hurried = await client.recommend(slow, { timeout: 1.5 });

  return {
    words: advice.candidates[0]!.words,
    iterations: updates.map(([iterations]) => Number(iterations)),
    finals: updates.map(([, final]) => final),
    refused: refused instanceof AdamasError && [Code[refused.code], refused.violations],
    aborted: aborted instanceof AdamasError && Code[aborted.code],
    seen,
    hurried: StopReason[hurried.search!.stopReason],
  };
}

const found: Record<string, unknown> = {};
for (const [name, settings] of Object.entries({
  "connect": {},
  "connect with json": { json: true },
  "grpc-web": { protocol: "grpc-web" as const },
})) {
  found[name] = await scenarios(connect(server, settings)).catch((error) => `${error}`);
}
await fetch("results", { method: "POST", body: JSON.stringify(found) });
