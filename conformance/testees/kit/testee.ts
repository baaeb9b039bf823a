import type { Along, Engine, LoadedGraph, LoadedProgram, Reply } from "../../../spec/contract/index.ts";
import { decodePoint, decodeSeeds, decodeTangents, validateRequest } from "../../../spec/documents/index.ts";
import { overBudget, shapesOf } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import type { Program } from "../../../spec/programs/index.ts";
import {
  assertNever,
  type Issue,
  MAXIMUM_ELEMENTS,
  ok,
  type Result,
  type Shape,
} from "../../../spec/shapes/index.ts";
import {
  type AlongJson,
  type FlatTensor,
  type LoadProgramRequest,
  type LoadRequest,
  MAXIMUM_WORDS,
  PROTOCOL_VERSION,
  type RecordRequest,
  type ReplyMessage,
  type RequestMessage,
  type RunRequest,
} from "../../../spec/wire/index.ts";
import { callProgram, ranReply } from "./program_calls.ts";
import { formOf, type ReplyBody, refusal, tensorsOf, wrongRequest } from "./reply_body.ts";
import { TapeShelf } from "./tape_shelf.ts";

type ModeRequest = Exclude<Extract<RequestMessage, { readonly point: unknown }>, RecordRequest>;

interface Loaded {
  readonly kind: "graph";
  readonly graph: Graph;
  /** The shape of every id. */
  readonly shapes: readonly Shape[];
  readonly program: LoadedGraph;
}

interface LoadedSource {
  readonly kind: "program";
  readonly source: Program;
  readonly program: LoadedProgram;
}

/** Graphs that no machine could hold are not tried. */
const mostHeld = { elements: MAXIMUM_ELEMENTS, work: Number.POSITIVE_INFINITY };

/** Answers one engine's requests, without exceptions. */
export class Testee {
  readonly #engine: Engine;
  readonly #programs = new Map<number, Loaded | LoadedSource>();
  readonly #tapes = new TapeShelf();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Returns the reply to one line; `undefined` if it has no id, because it is no message at all. A wrong
   * request, and an engine that throws, are answered with `error`.
   */
  async answer(line: string): Promise<ReplyMessage | undefined> {
    const json = parse(line);
    const id = idOf(json);
    if (id === undefined) return undefined;
    const request = validateRequest(json);
    if (!request.ok) return { id, ...brief(wrongRequest(request.error)) };
    try {
      return { id, ...brief(await this.#reply(request.value)) };
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      return { id, ...brief({ kind: "error", message }) };
    }
  }

  async #reply(request: RequestMessage): Promise<ReplyBody> {
    switch (request.kind) {
      case "hello":
        return {
          kind: "hello",
          protocol: PROTOCOL_VERSION,
          ...this.#engine.describe(),
          ...(this.#engine.tapes === undefined ? {} : { tapes: this.#engine.tapes }),
          ...(this.#engine.estimates === undefined ? {} : { estimates: this.#engine.estimates }),
          ...this.#engine.programs?.describePrograms(),
        };
      case "load":
        return this.#load(request);
      case "load_program":
        return this.#loadProgram(request);
      case "run": {
        const loaded = this.#programs.get(request.program);
        if (loaded === undefined) return notLoaded(request.program);
        return loaded.kind === "program" ? run(loaded, request) : loadedAs(request.program, loaded.kind);
      }
      case "record": {
        const loaded = this.#programs.get(request.program);
        if (loaded === undefined) return notLoaded(request.program);
        if (loaded.kind !== "graph") return loadedAs(request.program, loaded.kind);
        return this.#tapes.record({ ...loaded, hasHooks: this.#engine.tapes?.hooks === true }, request);
      }
      case "sweep":
        return this.#tapes.sweep(request);
      case "release":
        return this.#tapes.release(request);
      case "unload": {
        const loaded = this.#programs.get(request.program);
        if (loaded === undefined) return notLoaded(request.program);
        this.#programs.delete(request.program);
        this.#tapes.forget(request.program);
        await loaded.program.unload();
        return { kind: "done" };
      }
      case "evaluate":
      case "jvp":
      case "vjp":
      case "backward_dense":
      case "forward_gradient": {
        const loaded = this.#programs.get(request.program);
        if (loaded === undefined) return notLoaded(request.program);
        return loaded.kind === "graph" ? ask(loaded, request) : loadedAs(request.program, loaded.kind);
      }
      case "bring":
      case "verdict":
        return { kind: "unsupported", reason: "the engine brings no questions of its own" };
      default:
        return assertNever(request);
    }
  }

  async #load({ program, dtype, graph }: LoadRequest): Promise<ReplyBody> {
    if (this.#programs.has(program)) return loadedAlready(program);
    const excess = overBudget(graph, mostHeld);
    if (excess !== undefined) return { kind: "unsupported", reason: excess.message };
    const reply = await this.#engine.load(graph, dtype);
    if (reply.kind !== "result") return refusal(reply);
    this.#programs.set(program, {
      kind: "graph",
      graph,
      shapes: shapesOf(graph),
      program: reply.value,
    });
    return { kind: "done" };
  }

  async #loadProgram({ program, dtype, source }: LoadProgramRequest): Promise<ReplyBody> {
    if (this.#programs.has(program)) return loadedAlready(program);
    const { programs } = this.#engine;
    if (programs === undefined) return { kind: "unsupported", reason: "the engine runs no programs" };
    const reply = await programs.loadProgram(source, dtype);
    if (reply.kind !== "result") return refusal(reply);
    this.#programs.set(program, { kind: "program", source, program: reply.value });
    return { kind: "done" };
  }
}

async function ask({ graph, shapes, program }: Loaded, request: ModeRequest): Promise<ReplyBody> {
  const point = decodePoint(graph, request.point, "/point");
  if (!point.ok) return wrongRequest(point.error);
  const answer = (reply: Reply<readonly FlatTensor[]>): ReplyBody =>
    tensorsOf(reply, formOf([...request.point.inputs, ...Object.values(request.point.environment)]));
  switch (request.kind) {
    case "evaluate":
      return answer(await program.evaluate(point.value));
    case "jvp": {
      const tangents = decodeTangents(graph, request.tangents, "/tangents");
      if (!tangents.ok) return wrongRequest(tangents.error);
      return answer(await program.jvp(point.value, tangents.value));
    }
    case "vjp":
    case "backward_dense": {
      const seeds = decodeSeeds(shapes, request.seeds, "/seeds");
      if (!seeds.ok) return wrongRequest(seeds.error);
      const mode = request.kind === "vjp" ? "vjp" : "backwardDense";
      return answer(await program[mode](point.value, seeds.value));
    }
    case "forward_gradient": {
      const seeds = decodeSeeds(shapes, request.seeds, "/seeds");
      if (!seeds.ok) return wrongRequest(seeds.error);
      const along = alongOf(graph, request.along);
      if (!along.ok) return wrongRequest(along.error);
      if (program.forwardGradient === undefined)
        return { kind: "unsupported", reason: "the engine has no forward gradients" };
      return answer(await program.forwardGradient(point.value, seeds.value, along.value));
    }
    default:
      return assertNever(request);
  }
}

function alongOf(graph: Graph, along: AlongJson): Result<Along, Issue[]> {
  if (along.law !== "given") return ok(along);
  const tangents = decodeTangents(graph, along.tangents, "/along/tangents");
  return tangents.ok ? ok({ law: along.law, tangents: tangents.value }) : tangents;
}

async function run({ source, program }: LoadedSource, request: RunRequest): Promise<ReplyBody> {
  const called = await callProgram(source, program, request);
  if (!called.ok) return wrongRequest(called.error);
  const reply = called.value;
  if (reply.kind !== "result") return refusal(reply);
  const given = [...request.parameters, ...(request.session?.state ?? [])];
  return ranReply(reply.value, formOf([...given, ...Object.values(request.environment)]));
}

/** Cuts a reply's words to what the protocol allows. */
function brief(reply: ReplyBody): ReplyBody {
  switch (reply.kind) {
    case "error":
      return { ...reply, message: reply.message.slice(0, MAXIMUM_WORDS) };
    case "unsupported":
    case "refused":
      return { ...reply, reason: reply.reason.slice(0, MAXIMUM_WORDS) };
    default:
      return reply;
  }
}

function loadedAlready(program: number): ReplyBody {
  return { kind: "error", message: `program ${program} is loaded already` };
}

function loadedAs(program: number, kind: "graph" | "program"): ReplyBody {
  const other = kind === "graph" ? "run" : "evaluate, jvp, vjp and backward_dense";
  return { kind: "error", message: `program ${program} was loaded as a ${kind}: ${other} are not for it` };
}

function notLoaded(program: number): ReplyBody {
  return { kind: "error", message: `program ${program} is not loaded` };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function idOf(json: unknown): number | undefined {
  if (typeof json !== "object" || json === null || !("id" in json)) return undefined;
  const { id } = json;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
