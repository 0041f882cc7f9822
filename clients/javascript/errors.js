// What the server says about a call that failed: the status, and the details that it carries.

import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const types = loadSync(fileURLToPath(new URL("google_rpc.proto", import.meta.url)), {
  defaults: true,
  longs: Number,
});

/** The messages that an error carries, by their full names. */
function detailsOf(error) {
  const [packed] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (packed === undefined) return {};
  const found = {};
  for (const { type_url: url, value } of types["google.rpc.Status"].deserialize(packed).details) {
    const name = url.slice(url.lastIndexOf("/") + 1);
    if (types[name]) found[name] = types[name].deserialize(value);
  }
  return found;
}

/**
 * Decodes an error of a call.
 *
 * violations: what is wrong with the request, as { field, description };
 * retrySeconds: how long to wait before the next try, or undefined where the server names no time.
 */
export function decode(error) {
  const details = detailsOf(error);
  const against = details["google.rpc.PreconditionFailure"]?.violations ?? [];
  const delay = details["google.rpc.RetryInfo"]?.retryDelay;
  return {
    code: grpc.status[error.code] ?? "error",
    message: error.details ?? error.message,
    violations: [
      ...(details["google.rpc.BadRequest"]?.fieldViolations ?? []),
      ...against.map(({ subject, description }) => ({ field: subject, description })),
    ],
    retrySeconds: delay ? delay.seconds + delay.nanos / 1e9 : undefined,
  };
}

/** An error for people: what is wrong, field by field, and when to try again. */
export function explain(error) {
  const { code, message, violations, retrySeconds } = decode(error);
  const lines = [`${code}: ${message}`];
  for (const { field, description } of violations) lines.push(`  ${field}: ${description}`);
  if (retrySeconds !== undefined) lines.push(`  try again in ${retrySeconds} s`);
  return lines.join("\n");
}
