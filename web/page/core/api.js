/**
 * What the page asks the host: JSON over HTTP, and one stream of events a window.
 * @module
 */

import { language } from "./language.js";

/** What the host refused, with a reason for programs and words for people. */
export class Refusal extends Error {
  /** @param {string} reason @param {string} words @param {number} status */
  constructor(reason, words, status) {
    super(words);
    this.reason = reason;
    this.status = status;
  }
}

/**
 * @param {string} path Below `/api/`.
 * @param {Record<string, string | number>} [query]
 * @returns {string}
 */
function address(path, query = {}) {
  return `/api/${path}?${new URLSearchParams({ ...query, language: language() })}`;
}

/**
 * @param {string} method
 * @param {string} path Below `/api/`.
 * @param {any} [body]
 * @param {Record<string, string | number>} [query]
 * @returns {Promise<any>}
 */
async function call(method, path, body, query) {
  const headers = body === undefined && method === "GET" ? {} : { "content-type": "application/json" };
  const sent = typeof body === "string" ? body : body && JSON.stringify(body);
  const response = await fetch(address(path, query), { method, headers, body: sent });
  const text = await response.text();
  const answer = text ? JSON.parse(text) : {};
  if (response.ok) return answer;
  throw new Refusal(answer.error?.reason ?? "", answer.error?.words ?? response.statusText, response.status);
}

export const get = (path, query) => call("GET", path, undefined, query);
export const post = (path, body = {}) => call("POST", path, body);
export const remove = (path) => call("DELETE", path);

/**
 * Opens the stream.
 * @param {Record<string, string | number>} query
 * @param {Record<string, (data: any) => void>} listeners By the event's name.
 * @returns {() => void} Ends it.
 */
export function stream(query, listeners) {
  const source = new EventSource(address("stream", query));
  for (const [name, listener] of Object.entries(listeners)) {
    source.addEventListener(name, (event) => listener(JSON.parse(event.data)));
  }
  source.addEventListener("error", () => listeners.lost?.(source.readyState));
  source.addEventListener("open", () => listeners.found?.(source.readyState));
  return () => source.close();
}
