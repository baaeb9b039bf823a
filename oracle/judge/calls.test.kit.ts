import { type Engine, interpreterEngine, type LoadedGraph, type Reply } from "../../engines/index.ts";
import type { FlatTensor, Graph, Mode, Point, Seed } from "../../spec/index.ts";

type Answer = Reply<readonly FlatTensor[]>;

/** What a wrong engine remembers of one loaded graph. */
interface Loaded {
  readonly graph: Graph;
  readonly program: LoadedGraph;
}

/** An engine that is right about each call, but not about a sequence of them. */
export interface Forgetful {
  readonly name: string;
  readonly around?: (loaded: Loaded) => Partial<LoadedGraph>;
  /** Chooses the graph that is loaded, given all before. */
  readonly loads?: (graph: Graph, before: readonly Graph[]) => Graph;
  /** Is told of the count of times that a graph was loaded. */
  readonly spoils?: (times: number) => boolean;
}

const doubled = (reply: Answer): Answer =>
  reply.kind === "result"
    ? {
        kind: "result",
        value: reply.value.map(({ shape, data }) => ({ shape, data: data.map((x) => 2 * x + 1) })),
      }
    : reply;

/** Calls one function for each call, with the mode and the calls before. */
function watched(
  { program }: Loaded,
  change: (mode: Mode, before: readonly Mode[], answer: () => Promise<Answer>) => Promise<Answer>,
): Partial<LoadedGraph> {
  const before: Mode[] = [];
  const call = async (mode: Mode, answer: () => Promise<Answer>): Promise<Answer> => {
    const changed = await change(mode, [...before], answer);
    before.push(mode);
    return changed;
  };
  return {
    evaluate: (point) => call("evaluate", () => program.evaluate(point)),
    jvp: (point, tangents) => call("jvp", () => program.jvp(point, tangents)),
    vjp: (point, seeds) => call("vjp", () => program.vjp(point, seeds)),
    backwardDense: (point, seeds) => call("backward_dense", () => program.backwardDense(point, seeds)),
  };
}

/** Spoils an answer where the calls before it say so. */
const spoiling =
  (isWrong: (mode: Mode, before: readonly Mode[]) => boolean) =>
  (loaded: Loaded): Partial<LoadedGraph> =>
    watched(loaded, async (mode, before, answer) =>
      isWrong(mode, before) ? doubled(await answer()) : answer(),
    );

/** Keeps the point of the last evaluation for one mode. */
const atLastPoint =
  (mode: "jvp" | "vjp") =>
  ({ program }: Loaded): Partial<LoadedGraph> => {
    let last: Point | undefined;
    const evaluate: LoadedGraph["evaluate"] = (point) => {
      last = point;
      return program.evaluate(point);
    };
    return mode === "jvp"
      ? { evaluate, jvp: (point, tangents) => program.jvp(last ?? point, tangents) }
      : { evaluate, vjp: (point, seeds) => program.vjp(last ?? point, seeds) };
  };

const withoutAttributes = ({ nodes, ...rest }: Graph): string =>
  JSON.stringify({ ...rest, nodes: nodes.map(({ op, parents }) => [op, parents]) });

const told = (tensors: readonly FlatTensor[]): string =>
  tensors.map(({ data }) => [...data].join()).join(";");

/** Engines that are wrong only after another call, a sort each. */
export const forgetful: readonly Forgetful[] = [
  { name: "vjp pulls back through the values of the last evaluation", around: atLastPoint("vjp") },
  { name: "jvp pushes through the values of the last evaluation", around: atLastPoint("jvp") },
  {
    name: "jvp is wrong before any evaluation",
    around: spoiling((mode, before) => mode === "jvp" && !before.includes("evaluate")),
  },
  {
    name: "evaluation is wrong right after jvp",
    around: spoiling((mode, before) => mode === "evaluate" && before.at(-1) === "jvp"),
  },
  {
    name: "the second of two dense sweeps in a row is wrong",
    around: spoiling((mode, before) => mode === "backward_dense" && before.at(-1) === "backward_dense"),
  },
  {
    name: "the first call's tangents are kept",
    around: ({ program }) => {
      let first: readonly FlatTensor[] | undefined;
      return {
        jvp(point, tangents) {
          first ??= tangents;
          return program.jvp(point, first);
        },
      };
    },
  },
  {
    name: "the first call's seeds are kept",
    around: ({ program }) => {
      let first: readonly Seed[] | undefined;
      return {
        vjp(point, seeds) {
          first ??= seeds;
          return program.vjp(point, first);
        },
      };
    },
  },
  {
    name: "the indices of the first call are kept",
    around: ({ graph, program }) => {
      let first: Point["environment"] | undefined;
      const indices = graph.environment.filter(({ kind }) => kind === "index").map(({ name }) => name);
      const kept = (point: Point): Point => {
        first ??= point.environment;
        const own = [...first].filter(([name]) => indices.includes(name));
        return { ...point, environment: new Map([...point.environment, ...own]) };
      };
      return {
        evaluate: (point) => program.evaluate(kept(point)),
        jvp: (point, tangents) => program.jvp(kept(point), tangents),
        vjp: (point, seeds) => program.vjp(kept(point), seeds),
        backwardDense: (point, seeds) => program.backwardDense(kept(point), seeds),
      };
    },
  },
  { name: "the third load of a graph is wrong", spoils: (times) => times === 3 },
  {
    name: "answers are kept by the inputs alone, whatever Δ is",
    around: ({ program }) => {
      const known = new Map<string, Promise<Answer>>();
      return {
        evaluate(point) {
          const answer = known.get(told(point.inputs)) ?? program.evaluate(point);
          known.set(told(point.inputs), answer);
          return answer;
        },
      };
    },
  },
  {
    name: "a graph that differs in an attribute alone is taken for the one before",
    loads: (graph, before) =>
      before.find((other) => withoutAttributes(other) === withoutAttributes(graph)) ?? graph,
  },
];

/** Makes the engine: the interpreter, which forgets. */
export function forgetfulEngine({ name, around, loads, spoils }: Forgetful): Engine {
  const right = interpreterEngine();
  const before: Graph[] = [];
  return {
    describe: () => ({ ...right.describe(), name }),
    async load(graph, dtype) {
      const chosen = loads?.(graph, before) ?? graph;
      before.push(graph);
      const times = before.filter((other) => JSON.stringify(other) === JSON.stringify(graph)).length;
      const reply = await right.load(chosen, dtype);
      if (reply.kind !== "result") return reply;
      const loaded = { graph, program: reply.value };
      const change = spoils?.(times) === true ? spoiling(() => true) : around;
      return { kind: "result", value: { ...reply.value, ...change?.(loaded) } };
    },
    async [Symbol.asyncDispose]() {},
  };
}
