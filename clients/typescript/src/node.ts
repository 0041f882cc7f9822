import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { SecureClientSessionOptions } from "node:http2";

import {
  checkToken,
  Client,
  defaultTimeoutMs,
  interceptors,
  type ClientSettings,
} from "./client.js";

export * from "./index.js";

/** TLS of a client: the authorities that it trusts, and its own certificate. */
export type Tls = Pick<SecureClientSessionOptions, "ca" | "cert" | "key" | "servername">;

export interface NodeSettings extends ClientSettings {
  /** Turns TLS on; `true` trusts the authorities that Node trusts. */
  tls?: Tls | boolean;
}

/** A client of Node's, over gRPC. Nothing is sent before the first call. */
export interface NodeClient extends Client, Disposable {
  /** Ends the connection and whatever still runs over it. */
  close(): void;
}

/**
 * Sets up a client of the server at `target`, "host:port", which is its gRPC port.
 */
export function connect(target: string, settings: NodeSettings = {}): NodeClient {
  const url = new URL(`${settings.tls ? "https" : "http"}://${target}`);
  checkToken(url, settings);
  const nodeOptions = typeof settings.tls === "object" ? settings.tls : {};
  const sessionManager = new Http2SessionManager(url.origin, {}, nodeOptions);
  const transport = createGrpcTransport({
    baseUrl: url.origin,
    interceptors: interceptors(settings),
    defaultTimeoutMs: defaultTimeoutMs(settings),
    sessionManager,
  });
  const close = () => sessionManager.abort();
  return Object.assign(new Client(transport, settings), { close, [Symbol.dispose]: close });
}
