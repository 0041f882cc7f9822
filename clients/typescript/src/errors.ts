import { durationMs, type Any } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

import type { SearchError } from "./gen/adamas/v1/advisor_service_pb.js";
import {
  BadRequestSchema,
  PreconditionFailureSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";

/** One thing that is wrong with a request. */
export interface Violation {
  /** Path of the field, such as "query.view.diamonds.hand[3]". */
  readonly field: string;
  /** What is wrong, and what would be right. */
  readonly description: string;
}

/** Why a call has no answer. Every error of a call is one. */
export class AdamasError extends ConnectError {
  /** What is wrong with the request, field by field. */
  readonly violations: readonly Violation[];
  /** Seconds after which the server suggests to try again; undefined if it does not. */
  readonly retryAfter: number | undefined;

  constructor(error: ConnectError) {
    super(error.rawMessage, error.code, error.metadata, undefined, error.cause);
    this.details = error.details;
    this.violations = [
      ...error
        .findDetails(BadRequestSchema)
        .flatMap((bad) => bad.fieldViolations)
        .map(({ field, description }) => ({ field, description })),
      ...error
        .findDetails(PreconditionFailureSchema)
        .flatMap((failure) => failure.violations)
        .map(({ subject, description }) => ({ field: subject, description })),
    ];
    const [delay] = error.findDetails(RetryInfoSchema);
    this.retryAfter = delay?.retryDelay ? durationMs(delay.retryDelay) / 1000 : undefined;
  }

  /** Connect's own check takes any ConnectError for one of a subclass. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return super[Symbol.hasInstance](value) && "violations" in (value as object);
  }

  /** The error for whatever a call threw. */
  static override from(reason: unknown, code = Code.Unknown): AdamasError {
    if (reason instanceof AdamasError) return reason;
    return new AdamasError(ConnectError.from(reason, code));
  }

  /** The error of one search of a batch, the same as a call's. */
  static fromSearch({ code, message, details }: SearchError): AdamasError {
    const error = new ConnectError(message, code as Code);
    error.details = details.map(({ typeUrl, value }: Any) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
      value,
    }));
    return new AdamasError(error);
  }
}

/** Makes AdamasErrors of everything that calls throw. */
export const readableErrors: Interceptor = (next) => async (request) => {
  try {
    const response = await next(request);
    return response.stream ? { ...response, message: readable(response.message) } : response;
  } catch (reason) {
    throw AdamasError.from(reason);
  }
};

async function* readable<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (reason) {
    throw AdamasError.from(reason);
  }
}
