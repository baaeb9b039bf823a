import { interpreterEngine } from "../../engines/interpreter/index.ts";
import {
  type Context,
  type EnvironmentValue,
  Exhausted,
  evaluate,
  floats,
  type SparseContext,
  type Tensor,
} from "../../reference/index.ts";
import {
  compressed,
  inFormat,
  keptIn,
  nestedSubject,
  propertiesOfFloats,
  type RunTape,
  type Subject,
  subjectOf,
  type TapePoint,
  type TapeSystem,
  tapeSystemsOver,
} from "../../reference/tapes/index.ts";
import {
  type Description,
  type Engine,
  expanding,
  type Hook,
  hasReleased,
  type LoadedGraph,
  type OpenTape,
  type Reply,
  referenceConventions,
  refused,
} from "../../spec/contract/index.ts";
import { type Graph, isPrimitiveGraph, type Point, type Seed } from "../../spec/graph/index.ts";
import { primitiveNames } from "../../spec/operators/index.ts";
import { type Issue, type NodeId, present, type Result } from "../../spec/shapes/index.ts";
import {
  type DataType,
  type FlatTensor,
  formats,
  type Mode,
  type SavedFormat,
  type TapeLife,
} from "../../spec/wire/index.ts";

/** A tape system over floats, and what it declares. */
export interface FloatTape {
  readonly name: string;
  readonly system: TapeSystem;
  /** The narrower format in which values are kept, if there is one. */
  readonly saved?: SavedFormat;
  /** The engine declares this life of its tapes; by default it is the system's own. */
  readonly life?: TapeLife;
}

/** These formats lose something of the values that a tape keeps. */
const narrowFormats = [
  "float32",
  "float16",
  "bfloat16",
  "posit32",
  "posit16",
  "posit8",
  "sym16",
  "sym8",
  "sym4",
  "asym8",
] as const;

/** The tape systems, with the simplifications that floats allow, and the codecs that round. */
export const floatTapes: readonly FloatTape[] = [
  ...tapeSystemsOver(propertiesOfFloats).map((system) => ({ name: system.name, system })),
  ...narrowFormats.map((saved) => ({
    name: `compressed-${saved}`,
    system: compressed(inFormat(saved)),
    saved,
  })),
];

/**
 * Makes an engine of a tape system: a point is recorded for the given seeds, and a second question there is a
 * second sweep. It computes with the reference's arithmetic, so that what the tape kept is judged. A system
 * that gives only the cotangents of Γ is asked for no more; refused runs are unsupported. Only nested tapes
 * get inner derivatives.
 */
export function tapeEngine({ name, system, saved, life = system.life }: FloatTape): Engine {
  const { accuracy, accumulation } = interpreterEngine().describe();
  const isNested = system.name === "nested";
  const modes: readonly Mode[] =
    system.reach === "all" ? ["evaluate", "vjp", "backward_dense"] : ["evaluate", "vjp"];
  const description: Description = {
    name: `adjudge ${name} tape`,
    version: "0.1.0",
    language: "TypeScript",
    links: [],
    dtypes: ["float64", "float32"],
    operators: isNested ? [...primitiveNames, "differentiate"] : primitiveNames,
    modes,
    conventions: referenceConventions,
    accuracy,
    repeatable: true,
    ...(saved === undefined ? {} : { saved }),
    // Rules as graphs add in an order of their own.
    ...(system.claim !== "exact" && !isNested && accumulation !== undefined ? { accumulation } : {}),
  };
  return expanding({
    describe: () => description,
    tapes: { lives: [life], releases: true, ...(system.settles ? { hooks: true } : {}) },
    load: async (graph, dtype) => {
      if (dtype !== "float64" && dtype !== "float32")
        return { kind: "unsupported", reason: `no arithmetic in ${dtype}` };
      const subject = subjectIn(graph, dtype, isNested);
      return subject.ok
        ? { kind: "result", value: loaded({ system, life }, subject.value, graph, dtype) }
        : { kind: "unsupported", reason: told(subject.error) };
    },
    [Symbol.asyncDispose]: async () => {},
  });
}

function subjectIn(graph: Graph, dtype: DataType, isNested: boolean): Result<Subject<number>, Issue[]> {
  const storage = {
    bitsPerElement: 8 * formats[dtype].bytes,
    keeping: keptIn,
  };
  if (isNested) return nestedSubject(graph, floats[dtype], storage);
  if (isPrimitiveGraph(graph)) return subjectOf(graph, floats[dtype], storage);
  throw new TypeError("composites are written out before they come here");
}

function loaded(
  { system, life: promised }: Required<Pick<FloatTape, "system" | "life">>,
  subject: Subject<number>,
  graph: Graph,
  dtype: DataType,
): LoadedGraph {
  const { inputs } = subject.data;
  const { round } = formats[dtype];
  const read = ({ shape, data }: FlatTensor): Tensor<number> => ({ shape, data: [...data].map(round) });
  const pointOf = (point: Point): TapePoint<number> => pointIn(graph, point, read);
  const keeping = new Keeping(system, subject, pointOf);
  const swept = (point: Point, seeds: readonly Seed[]): Reply<Context<number>> => {
    const tape = keeping.tapeAt(point, seeds);
    if (!tape.ok) return { kind: "unsupported", reason: told(tape.error) };
    const cotangents = tape.value.backward(new Map(seeds.map(({ id, cotangent }) => [id, read(cotangent)])));
    return cotangents.ok
      ? { kind: "result", value: cotangents.value }
      : { kind: "error", message: told([cotangents.error]) };
  };
  return {
    evaluate: async (point) =>
      answered(() => {
        const { x, environment } = pointOf(point);
        return { kind: "result", value: evaluate(subject.data, x, environment).slice(inputs.length) };
      }),
    jvp: async () => ({ kind: "unsupported", reason: "a tape has no tangents" }),
    vjp: async (point, seeds) =>
      answered(() => {
        const reply = swept(point, seeds);
        return reply.kind === "result" ? { ...reply, value: reply.value.slice(0, inputs.length) } : reply;
      }),
    backwardDense: async (point, seeds) => answered(() => swept(point, seeds)),
    record: async (point, life, of, hooks = []) => {
      if (life !== promised)
        return { kind: "unsupported", reason: `a ${system.name} tape is swept ${promised}` };
      try {
        const recorded = system.record(subject, pointOf(point), [...of]);
        if (!recorded.ok) return { kind: "unsupported", reason: told(recorded.error) };
        return { kind: "result", value: opened(recorded.value, inputs.length, read, new Set(hooks)) };
      } catch (problem) {
        return broken(problem);
      }
    },
    unload: async () => keeping.release(),
  };
}

function pointIn(
  graph: Graph,
  { inputs, environment }: Point,
  read: (flat: FlatTensor) => Tensor<number>,
): TapePoint<number> {
  const entries = graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<number>] => {
    const flat = present(environment.get(name), "an entry of Δ");
    return [name, kind === "real" ? { kind, tensor: read(flat) } : { kind, shape, indices: [...flat.data] }];
  });
  return { x: inputs.map(read), environment: new Map(entries) };
}

/** Keeps the last tape: two questions at one point are two sweeps of it, as of a user who keeps it. */
class Keeping {
  readonly #system: TapeSystem;
  readonly #subject: Subject<number>;
  readonly #pointOf: (point: Point) => TapePoint<number>;
  #last: { readonly asked: string; readonly tape: RunTape<number> } | undefined;

  constructor(system: TapeSystem, subject: Subject<number>, pointOf: (point: Point) => TapePoint<number>) {
    this.#system = system;
    this.#subject = subject;
    this.#pointOf = pointOf;
  }

  tapeAt(point: Point, seeds: readonly Seed[]): Result<RunTape<number>, Issue[]> {
    const asked = keyOf(point, seeds);
    if (this.#last?.asked === asked && this.#system.life !== "once")
      return { ok: true, value: this.#last.tape };
    this.release();
    const of = seeds.map(({ id }) => id);
    const recorded = this.#system.record(this.#subject, this.#pointOf(point), of);
    if (recorded.ok) this.#last = { asked, tape: recorded.value };
    return recorded;
  }

  release(): void {
    this.#last?.tape.release();
    this.#last = undefined;
  }
}

/**
 * Makes a tape whose sweeps may overlap. A sweep that is alone runs at once, unless there are hooks; of
 * several each does a step, and lets the others go on.
 */
function opened(
  tape: RunTape<number>,
  inputs: number,
  read: (flat: FlatTensor) => Tensor<number>,
  hooks: ReadonlySet<NodeId>,
): OpenTape {
  let underWay = 0;
  const swept = async (
    seed: SparseContext<number>,
    hook: Hook | undefined,
  ): Promise<Result<Context<number>, Issue>> => {
    // One wait lets all sweeps that are asked for at once be counted.
    await undefined;
    if (underWay === 1 && hooks.size === 0) return tape.backward(seed);
    const begun = tape.begin(seed);
    if (!begun.ok) return begun;
    for (;;) {
      const step = begun.value.next();
      if (step.done === true) return { ok: true, value: step.value };
      const { id, cotangent } = step.value;
      if (hooks.has(id)) hook?.(id, flattened(cotangent));
      await undefined;
    }
  };
  return {
    sweep: async (seeds, hook) => {
      underWay += 1;
      try {
        const given = new Map(seeds.map(({ id, cotangent }) => [id, read(cotangent)]));
        const cotangents = await swept(given, hook);
        if (!cotangents.ok) return refused(cotangents.error);
        return { kind: "result", value: cotangents.value.slice(0, inputs).map(flattened) };
      } catch (problem) {
        return broken(problem);
      } finally {
        underWay -= 1;
      }
    },
    release: async () => {
      tape.release();
      return hasReleased;
    },
  };
}

/** Returns the key of a point and the ids of seeds, which one tape answers for; −0 is no 0. */
function keyOf({ inputs, environment }: Point, seeds: readonly Seed[]): string {
  const shown = ({ data }: FlatTensor): string =>
    Array.from(data, (x) => (Object.is(x, -0) ? "-0" : x)).join(" ");
  const entries = [...environment].map(([name, value]) => [name, shown(value)]);
  return JSON.stringify([inputs.map(shown), entries, seeds.map(({ id }) => id)]);
}

/** Answers; an engine never rejects, unless whoever asks has run out of time. */
function answered(ask: () => Reply<Context<number>>): Reply<readonly FlatTensor[]> {
  try {
    const reply = ask();
    if (reply.kind !== "result") return reply;
    return { kind: "result", value: reply.value.map(flattened) };
  } catch (problem) {
    return broken(problem);
  }
}

function flattened({ shape, data }: Tensor<number>): FlatTensor {
  return { shape, data: Float64Array.from(data) };
}

function broken(problem: unknown): Reply<never> {
  if (problem instanceof Exhausted) throw problem;
  return { kind: "crashed", message: String(problem) };
}

function told(issues: readonly Issue[]): string {
  return issues.map(({ message }) => message).join(" ");
}
