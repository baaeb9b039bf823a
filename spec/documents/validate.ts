import { outlineOf, type Validator, validatorOf } from "../schema/registry.ts";
import { fail, type Issue, nearestName, quote, type Result } from "../shapes/index.ts";
import type {
  ConfigJson,
  KnownJson,
  LeanVerdictJson,
  LifetimesJson,
  LoadProgramRequest,
  LoadRequest,
  ReplyMessage,
  ReportJson,
  RequestMessage,
  TorchLeanJson,
  TraceJson,
  VerdictJson,
} from "../wire/index.ts";
import { embeddedGraph, embeddedProgram, validateEmbedding } from "./embedded.ts";

const readMessage: Validator<{ readonly kind: string }> = outlineOf("protocol.schema.json#/$defs/message");
const readLoad: Validator<LoadRequest> = definition("load_request");
const readLoadProgram: Validator<LoadProgramRequest> = definition("load_program_request");
const readTrace: Validator<TraceJson> = outlineOf("trace.schema.json");

/** One validator for each kind of message: the kind picks the schema, so a big union is never searched. */
type ByKind<M extends { readonly kind: string }> = { readonly [K in M["kind"]]: Validator<M> };

const requests: ByKind<RequestMessage> = {
  hello: definition("hello_request"),
  load: (json) => validateEmbedding(json, readLoad, embeddedGraph),
  evaluate: definition("evaluate_request"),
  jvp: definition("jvp_request"),
  vjp: definition("vjp_request"),
  backward_dense: definition("backward_dense_request"),
  load_program: (json) => validateEmbedding(json, readLoadProgram, embeddedProgram("source")),
  run: definition("run_request"),
  record: definition("record_request"),
  sweep: definition("sweep_request"),
  forward_gradient: definition("forward_gradient_request"),
  release: definition("release_request"),
  unload: definition("unload_request"),
  bring: definition("bring_request"),
  verdict: definition("verdict_request"),
};

const replies: ByKind<ReplyMessage> = {
  hello: definition("hello_reply"),
  done: definition("done_reply"),
  question: definition("question_reply"),
  tensors: definition("tensors_reply"),
  ran: definition("ran_reply"),
  refused: definition("refused_reply"),
  unsupported: definition("unsupported_reply"),
  error: definition("error_reply"),
};

function definition<T>(name: string): Validator<T> {
  return outlineOf(`protocol.schema.json#/$defs/${name}`);
}

/**
 * Returns the request that a line's JSON is. The graph of a `load` is checked as by `checkGraph`, the program
 * of a `load_program` as by `checkProgram`; whether tensors decode and fit the graph is left to `decodePoint`
 * and its like.
 * Fails: `protocol/kind`, `schema/…`, and what `checkGraph` and `checkProgram` find.
 */
export function validateRequest(json: unknown): Result<RequestMessage, Issue[]> {
  return validateMessage(json, requests);
}

/** Returns the reply in a line's JSON. The caller sees whether it fits the question. Fails as above. */
export function validateReply(json: unknown): Result<ReplyMessage, Issue[]> {
  return validateMessage(json, replies);
}

/** The verdict that `json` is, by its schema; a witness's case is for `checkCase`. Fails: `schema/…`. */
export const validateVerdict: Validator<VerdictJson> = validatorOf("verdict.schema.json");

/** The report that `json` is, by its schema. Fails: `schema/…`. */
export const validateReport: Validator<ReportJson> = validatorOf("report.schema.json");

/** The settings that `json` is, by its schema. Paths and commands are not checked. Fails: `schema/…`. */
export const validateConfig: Validator<ConfigJson> = outlineOf("config.schema.json");

/** The known failures that `json` is by its schema. Version ranges are not checked. Fails: `schema/…`. */
export const validateKnown: Validator<KnownJson> = validatorOf("known.schema.json");

/** The report that `json` is, of engines that run programs, by its schema. Fails: `schema/…`. */
export const validateProgramReport: Validator<object> = validatorOf("program-report.schema.json");

/** The lifetimes that `json` are, by their schema. Fails: `schema/…`. */
export const validateLifetimes: Validator<LifetimesJson> = outlineOf("lifetimes.schema.json");

/** The verdict of Lean's kernel that `json` is, by its schema. Fails: `schema/…`. */
export const validateLeanVerdict: Validator<LeanVerdictJson> = outlineOf("lean-verdict.schema.json");

/** The TorchLean graph that `json` is by its schema. Its nodes are not checked. Fails: `schema/…`. */
export const validateTorchLean: Validator<TorchLeanJson> = outlineOf("torchlean.schema.json");

/** Returns the trace that `json` is, its graph checked. Fails: `schema/…`, and as `checkGraph` does. */
export function validateTrace(json: unknown): Result<TraceJson, Issue[]> {
  return validateEmbedding(json, readTrace, embeddedGraph);
}

function validateMessage<M extends { readonly kind: string }>(
  json: unknown,
  byKind: ByKind<M>,
): Result<M, Issue[]> {
  const message = readMessage(json);
  if (!message.ok) return message;
  const { kind } = message.value;
  return isKey(byKind, kind) ? byKind[kind](json) : fail([unknownKind(kind, Object.keys(byKind))]);
}

function isKey<T extends object>(table: T, name: string | number | symbol): name is keyof T {
  return Object.hasOwn(table, name);
}

function unknownKind(kind: string, known: readonly string[]): Issue {
  const near = nearestName(kind, known);
  return {
    code: "protocol/kind",
    pointer: "/kind",
    message: `there is no message of kind ${quote(kind)} in this direction.`,
    hint: near === undefined ? `the kinds are ${known.join(", ")}` : `did you mean "${near}"?`,
  };
}
