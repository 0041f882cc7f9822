// The answers that every client gets, see clients/conformance.

import { equals, fromJson, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { AdamasError, Code, connect, type NodeClient } from "../src/node.js";
import {
  AdvisorService,
  AnalyzeRequestSchema,
  AnalyzeResponseSchema,
  RecommendBatchRequestSchema,
  RecommendRequestSchema,
  RecommendResponseSchema,
  RulesService,
  type Advice,
  type RecommendBatchResponse,
} from "../src/v1.js";
import { create, durationMs } from "./support.js";

const VECTORS = new URL("../../../conformance/vectors/", import.meta.url);
const target = process.env["ADAMAS_TARGET"];

interface Vector {
  call: string;
  requests: JsonValue[];
  responses?: JsonValue[];
  error?: { code: string; message: string; violations: { field: string; description: string }[] };
}

/** Leaves out what depends on the clock. */
function timeless(advice: Advice | undefined): Advice | undefined {
  if (advice !== undefined) {
    delete advice.suggestedDelay;
    if (advice.search) delete advice.search.elapsed;
  }
  return advice;
}

async function ask(client: NodeClient, { call, requests }: Vector): Promise<Message[]> {
  const name = call.split("/")[1]!;
  switch (name) {
    case "Recommend": {
      const { query, requestId } = fromJson(RecommendRequestSchema, requests[0]!);
      const advice = timeless(await client.recommend(query ?? {}));
      return [create(RecommendResponseSchema, { requestId, ...(advice && { advice }) })];
    }
    case "Analyze": {
      const { query, requestId, updateInterval } = fromJson(AnalyzeRequestSchema, requests[0]!);
      const interval = updateInterval && durationMs(updateInterval) / 1000;
      let last: Advice | undefined;
      for await (const { advice, final } of client.analyze(query ?? {}, interval ? { interval } : {})) {
        if (final) last = timeless(advice);
      }
      return [create(AnalyzeResponseSchema, { requestId, advice: last!, final: true })];
    }
    case "RecommendBatch": {
      async function* asked() {
        for (const request of requests) yield fromJson(RecommendBatchRequestSchema, request);
      }
      const found: RecommendBatchResponse[] = [];
      for await (const response of client.recommendBatch(asked())) found.push(response);
      for (const { outcome } of found) {
        if (outcome.case === "advice") timeless(outcome.value);
        if (outcome.case === "error") outcome.value.details = [];
      }
      return found.sort((one, other) => (one.requestId < other.requestId ? -1 : 1));
    }
    default: {
      const method = RulesService.methods.find((found) => found.name === name)!;
      const calls = client.rules as unknown as Record<string, (request: Message) => Promise<Message>>;
      return [await calls[method.localName]!(fromJson(method.input as DescMessage, requests[0]!))];
    }
  }
}

for (const file of target === undefined ? [] : readdirSync(VECTORS)) {
  test(`conformance: ${file}`, async () => {
    using client = connect(target!);
    const vector = JSON.parse(readFileSync(new URL(file, VECTORS), "utf8")) as Vector;
    const { call, responses, error } = vector;
    if (error) {
      await assert.rejects(ask(client, vector), (failed: unknown) => {
        assert(failed instanceof AdamasError);
        const code = error.code.toLowerCase().replaceAll("_", "");
        assert.equal(Code[failed.code]!.toLowerCase(), code);
        assert.equal(failed.rawMessage, error.message);
        assert.deepEqual(failed.violations, error.violations);
        return true;
      });
      return;
    }
    const [service, name] = call.split("/");
    const methods = service === "AdvisorService" ? AdvisorService.methods : RulesService.methods;
    const schema = methods.find((found) => found.name === name)!.output as DescMessage;
    const found = await ask(client, vector);
    assert.equal(found.length, responses!.length);
    for (const [index, response] of found.entries()) {
      const expected = fromJson(schema, responses![index]!);
      if (!equals(schema, response, expected)) {
        assert.deepEqual(toJson(schema, response), toJson(schema, expected));
        assert.fail("the messages differ");
      }
    }
  });
}
