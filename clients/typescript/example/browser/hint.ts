// The same in a browser: watch an analysis grow, and stop it. `?server=` names the server.

import { AdamasError, Code, connect, durationFromMs } from "../../src/web.js";

const server = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080";
const client = connect(server);
const found = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const [watch, stop] = [found<HTMLButtonElement>("watch"), found<HTMLButtonElement>("stop")];
let call = new AbortController();

async function analyze(signal: AbortSignal): Promise<void> {
  const { state, status } = await client.rules.startGame({
    options: { game: { case: "dao", value: {} } },
    seats: 3,
  });
  const seat = status!.seatsToMove[0]!;
  const { view } = await client.rules.getPlayerView({ state: state!, seat });
  const query = {
    position: { case: "view" as const, value: view! },
    limits: { time: durationFromMs(10_000) },
    candidates: 3,
  };
  for await (const { advice } of client.analyze(query, { signal })) {
    found("candidates").replaceChildren(
      ...advice.candidates.map(({ words, winProbability }) => {
        const item = document.createElement("li");
        item.textContent = `${words}: wins ${(100 * winProbability).toFixed(1)} %`;
        return item;
      }),
    );
    found("state").textContent = `${advice.search?.iterations} iterations`;
  }
}

watch.onclick = async () => {
  call = new AbortController();
  [watch.disabled, stop.disabled] = [true, false];
  found("error").textContent = "";
  try {
    await analyze(call.signal);
  } catch (reason) {
    const error = AdamasError.from(reason);
    if (error.code !== Code.Canceled) {
      const violations = error.violations.map(({ field, description }) => `${field}: ${description}`);
      found("error").textContent = [error.message, ...violations].join("\n");
    }
  }
  [watch.disabled, stop.disabled] = [false, true];
};
stop.onclick = () => call.abort();
