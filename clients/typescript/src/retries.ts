import { Code, type Interceptor } from "@connectrpc/connect";

import { AdamasError } from "./errors.js";

const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 1000;

/** Whether something ended because no server could be had, which may pass. */
export function isUnavailable(reason: unknown): boolean {
  return reason instanceof AdamasError && reason.code === Code.Unavailable;
}

/** Waits before a further attempt; returns false if there have been enough. */
export async function mayRetry(attempt: number, signal?: AbortSignal): Promise<boolean> {
  if (attempt >= MAX_ATTEMPTS) return false;
  const most = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const delay = most * (0.8 + 0.4 * Math.random());
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, delay);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
  return !signal?.aborted;
}

/**
 * Repeats unary calls while no server can be had: up to 4 attempts, with a growing pause. All calls
 * are safe to repeat, as the server keeps nothing between two calls.
 */
export const retries: Interceptor = (next) => async (request) => {
  if (request.stream) return next(request);
  for (let attempt = 1; ; attempt++) {
    try {
      return await next(request);
    } catch (reason) {
      const error = AdamasError.from(reason);
      if (!isUnavailable(error) || !(await mayRetry(attempt, request.signal))) throw error;
    }
  }
};
