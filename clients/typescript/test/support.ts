// What tests share.

export { create } from "@bufbuild/protobuf";
export { durationMs } from "@bufbuild/protobuf/wkt";

import { createRouterTransport, type ConnectRouter } from "@connectrpc/connect";

import { Client, interceptors, type ClientSettings } from "../src/client.js";

/** A client of services that answer in this process. */
export function clientOf(
  routes: (router: ConnectRouter) => void,
  settings: ClientSettings = {},
): Client {
  const transport = createRouterTransport(routes, { transport: { interceptors: interceptors(settings) } });
  return new Client(transport, settings);
}
