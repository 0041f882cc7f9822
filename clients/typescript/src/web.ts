import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";

import {
  checkToken,
  Client,
  defaultTimeoutMs,
  interceptors,
  type ClientSettings,
} from "./client.js";

export * from "./index.js";

export interface WebSettings extends ClientSettings {
  /** "connect", the default, or "grpc-web" where a proxy knows only that. */
  protocol?: "connect" | "grpc-web";
  /** Sends messages as JSON, which can be read in the browser's tools; binary by default. */
  json?: boolean;
}

/**
 * Sets up a client of the server at `baseUrl`, such as "http://localhost:8080", which is its port for
 * browsers. Nothing is sent before the first call.
 */
export function connect(baseUrl: string, settings: WebSettings = {}): Client {
  checkToken(new URL(baseUrl), settings);
  const make = settings.protocol === "grpc-web" ? createGrpcWebTransport : createConnectTransport;
  const transport = make({
    baseUrl,
    useBinaryFormat: !settings.json,
    interceptors: interceptors(settings),
    defaultTimeoutMs: defaultTimeoutMs(settings),
  });
  return new Client(transport, settings);
}
