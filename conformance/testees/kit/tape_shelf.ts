import type { LoadedGraph, OpenTape } from "../../../spec/contract/index.ts";
import { decodeGivenSeeds, decodePoint } from "../../../spec/documents/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { counted, type Issue, nodeId, type Shape } from "../../../spec/shapes/index.ts";
import {
  MAXIMUM_TAPES,
  type RecordRequest,
  type ReleaseRequest,
  type SweepRequest,
  type TensorJson,
} from "../../../spec/wire/index.ts";
import {
  formOf,
  type HookCall,
  type ReplyBody,
  refusal,
  tensorsOf,
  withCalls,
  wrongRequest,
} from "./reply_body.ts";

/** A loaded graph, as its tapes know it. */
interface Recorded {
  readonly graph: Graph;
  readonly shapes: readonly Shape[];
  readonly program: LoadedGraph;
  /** Its engine has hooks. */
  readonly hasHooks: boolean;
}

/** A tape, under its number. */
interface Shelved {
  readonly program: number;
  readonly tape: OpenTape;
  /** The form in which numbers are written. */
  readonly form: "text" | "base64";
  readonly hasHooks: boolean;
  isReleased: boolean;
}

/** The shelf remembers so many released tapes, so that their own engine refuses them. */
const RELEASED_KNOWN = MAXIMUM_TAPES;

/** The tapes of all loaded graphs, by number. Owns them: what is forgotten has been released. */
export class TapeShelf {
  readonly #tapes = new Map<number, Shelved>();

  async record({ graph, shapes, program, hasHooks }: Recorded, request: RecordRequest): Promise<ReplyBody> {
    const { tape: number, life, of, hooks = [] } = request;
    const known = this.#tapes.get(number);
    if (known?.isReleased === false) return wrongRequest([recordedAlready(number)]);
    const point = decodePoint(graph, request.point, "/point");
    if (!point.ok) return wrongRequest(point.error);
    const foreign = of.findIndex((id) => id >= shapes.length);
    if (foreign >= 0) return wrongRequest([foreignId("tape/of", shapes.length, `/of/${foreign}`)]);
    const loose = hooks.findIndex((id) => id >= shapes.length);
    if (loose >= 0) return wrongRequest([foreignId("tape/hooks", shapes.length, `/hooks/${loose}`)]);
    if (program.record === undefined) return { kind: "unsupported", reason: "the engine has no tapes" };
    if (hooks.length > 0 && !hasHooks) return { kind: "unsupported", reason: "the engine has no hooks" };
    const open = [...this.#tapes.values()].filter(({ isReleased }) => !isReleased).length;
    if (open >= MAXIMUM_TAPES)
      return { kind: "unsupported", reason: `${open} tapes are not released, the most that there may be` };
    const reply = await program.record(
      point.value,
      life,
      of.map((id) => nodeId(id + 0)),
      hooks.map((id) => nodeId(id + 0)),
    );
    if (reply.kind !== "result") return refusal(reply);
    const given: readonly TensorJson[] = [
      ...request.point.inputs,
      ...Object.values(request.point.environment),
    ];
    this.#tapes.delete(number);
    this.#tapes.set(number, {
      program: request.program,
      tape: reply.value,
      form: formOf(given),
      hasHooks: hooks.length > 0,
      isReleased: false,
    });
    return { kind: "done" };
  }

  async sweep(request: SweepRequest): Promise<ReplyBody> {
    const shelved = this.#tapes.get(request.tape);
    if (shelved === undefined) return wrongRequest([unknownTape(request.tape)]);
    // The engine must see itself whether they fit.
    const seeds = decodeGivenSeeds(request.seeds, "/seeds");
    if (!seeds.ok) return wrongRequest(seeds.error);
    const { tape, form, hasHooks } = shelved;
    if (!hasHooks) return tensorsOf(await tape.sweep(seeds.value), form);
    const calls: HookCall[] = [];
    const reply = await tape.sweep(seeds.value, (id, cotangent) => calls.push({ id, cotangent }));
    return withCalls(tensorsOf(reply, form), calls, form);
  }

  async release({ tape: number }: ReleaseRequest): Promise<ReplyBody> {
    const shelved = this.#tapes.get(number);
    if (shelved === undefined) return wrongRequest([unknownTape(number)]);
    const reply = await shelved.tape.release();
    if (reply.kind !== "result") return refusal(reply);
    shelved.isReleased = true;
    const released = [...this.#tapes].filter(([, { isReleased }]) => isReleased);
    for (const [old] of released.slice(0, -RELEASED_KNOWN)) this.#tapes.delete(old);
    return { kind: "done" };
  }

  /** Forgets, and thereby frees, the tapes of a graph that is unloaded. */
  forget(program: number): void {
    for (const [number, shelved] of [...this.#tapes])
      if (shelved.program === program) this.#tapes.delete(number);
  }
}

function unknownTape(number: number): Issue {
  return {
    code: "tape/unknown",
    pointer: "/tape",
    message: `there is no tape ${number}.`,
    hint: "record it first; unloading its graph ends it",
  };
}

function recordedAlready(number: number): Issue {
  return {
    code: "tape/twice",
    pointer: "/tape",
    message: `tape ${number} is recorded already.`,
    hint: "release it first, or take another number",
  };
}

function foreignId(code: "tape/of" | "tape/hooks", count: number, pointer: string): Issue {
  return {
    code,
    pointer,
    message: `the graph has ${counted(count, "id")}, and this is none of them.`,
    hint: "ids count the inputs first, then the nodes, from 0",
  };
}
