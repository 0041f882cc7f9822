export { durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
export { Code } from "@connectrpc/connect";
export { Client, type CallSettings, type ClientSettings, type Update } from "./client.js";
export { AdamasError, type Violation } from "./errors.js";
