import {
  type CompositeRows,
  compositeNames,
  composites,
  isCompositeName,
  type OperatorName,
  operatorNames,
} from "../composites/index.ts";
import { type Expansion, exampleOf, expand, expandUnless } from "../expansion/index.ts";
import type { Graph, Point, Seed } from "../graph/index.ts";
import { primitiveNames } from "../operators/index.ts";
import {
  expandProgram,
  operatorsOfProgram,
  type Program,
  statementsOf,
  withAliasesInside,
} from "../programs/index.ts";
import { type NodeId, nodeId, present } from "../shapes/index.ts";
import type { FlatTensor } from "../wire/index.ts";
import type { Along, Engine, LoadedGraph } from "./engine.ts";
import type { ProgramEngine } from "./program_engine.ts";
import type { Reply } from "./reply.ts";
import type { OpenTape } from "./tape_engine.ts";

/**
 * Wraps `engine`, which may lack composites, so that it answers for them: it is sent their expansions by
 * `rows`, and its answers for inner ids are dropped. Composites that it offers, and derivatives that it takes
 * whole, with expanded inner graphs, are sent whole. The wrapper offers each composite whose example can be
 * answered; a graph whose expansion needs a missing operator is `unsupported`. Programs are expanded by
 * {@link expandProgram}, and by {@link withAliasesInside} where it knows no aliases.
 */
export function expanding(engine: Engine, rows: CompositeRows = composites): Engine {
  const offered = new Set(engine.describe().operators);
  const hasPrimitives = primitiveNames.every((op) => offered.has(op));
  const operators = operatorNames.filter(
    (op) => offered.has(op) || hasPrimitives || isReachable(op, offered, rows),
  );
  const { limits } = engine.describe();
  const inPart = limits && { written: operators.filter((op) => !offered.has(op)) };
  const description = { ...engine.describe(), operators, ...inPart };
  // Others who judge the graph also know its expansion in primitives.
  const hasComposites = compositeNames.some((op) => offered.has(op));
  const written = (graph: Graph): Expansion<Graph> =>
    hasComposites ? expandUnless(graph, (op) => offered.has(op), rows) : expand(graph, rows);
  return {
    describe: () => description,
    ...(engine.queues === undefined ? {} : { queues: engine.queues }),
    ...(engine.forgive === undefined ? {} : { forgive: () => engine.forgive?.() }),
    ...(engine.tapes === undefined ? {} : { tapes: engine.tapes }),
    ...(engine.estimates === undefined ? {} : { estimates: engine.estimates }),
    ...(engine.programs === undefined ? {} : { programs: expandingPrograms(engine.programs, offered, rows) }),
    sent: (graph) => written(graph).graph,
    load: async (graph, dtype) => {
      const expansion = written(graph);
      const missing = missingOf(expansion.graph, offered);
      if (missing !== undefined) {
        return { kind: "unsupported", reason: `the engine does not offer ${missing}` };
      }
      const loaded = await engine.load(expansion.graph, dtype);
      if (loaded.kind !== "result" || expansion.graph === graph) return loaded;
      return { kind: "result", value: projected(loaded.value, graph, expansion.ids) };
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** Returns the first operator of a graph and its inner graphs that is not offered. */
function missingOf(graph: Graph, offered: ReadonlySet<OperatorName>): OperatorName | undefined {
  for (const node of graph.nodes) {
    if (!offered.has(node.op)) return node.op;
    const within = node.op === "differentiate" ? missingOf(node.attributes.graph, offered) : undefined;
    if (within !== undefined) return within;
  }
  return undefined;
}

/** Wraps an engine of programs, which gets programs without the composites that it lacks. */
function expandingPrograms(
  programs: ProgramEngine,
  offered: ReadonlySet<OperatorName>,
  rows: CompositeRows,
): ProgramEngine {
  const written = (program: Program): Program => {
    const known = programs.describePrograms().aliases === true ? program : withAliasesInside(program);
    return expandProgram(known, (op) => offered.has(op), rows);
  };
  return {
    describePrograms: () => programs.describePrograms(),
    sent: (program) => written(program),
    loadProgram: async (program, dtype) => {
      const expanded = written(program);
      const { statements } = programs.describePrograms();
      const op = operatorsOfProgram(expanded).find((name) => !offered.has(name));
      const kind = statementsOf(expanded).find((statement) => !statements.includes(statement.do))?.do;
      if (op !== undefined) return { kind: "unsupported", reason: `the engine does not offer ${op}` };
      if (kind !== undefined) return { kind: "unsupported", reason: `the engine does not run ${kind}` };
      return programs.loadProgram(expanded, dtype);
    },
  };
}

/** Says whether a composite's example expands to offered operators. */
function isReachable(op: OperatorName, offered: ReadonlySet<OperatorName>, rows: CompositeRows): boolean {
  if (!isCompositeName(op)) return false;
  const { graph } = expandUnless(exampleOf(op), (inner) => offered.has(inner), rows);
  return missingOf(graph, offered) === undefined;
}

/** Wraps an expanded graph, so that it is asked and answers in the ids of the original. */
function projected(program: LoadedGraph, { inputs }: Graph, ids: readonly NodeId[]): LoadedGraph {
  const first = inputs.length;
  const place = (seeds: readonly Seed[]): Seed[] =>
    seeds.map(({ id, cotangent }) => ({ id: present(ids[id], "id of a seed"), cotangent }));
  const { record, forwardGradient } = program;
  return {
    evaluate: async (point) => picked(await program.evaluate(point), ids.slice(first), first),
    jvp: async (point, tangents) => picked(await program.jvp(point, tangents), ids.slice(first), first),
    vjp: (point, seeds) => program.vjp(point, place(seeds)),
    backwardDense: async (point, seeds) => picked(await program.backwardDense(point, place(seeds)), ids, 0),
    ...(record === undefined ? {} : { record: recordedIn(record.bind(program), ids) }),
    ...(forwardGradient === undefined
      ? {}
      : {
          forwardGradient: (point: Point, seeds: readonly Seed[], along: Along) =>
            forwardGradient.call(program, point, place(seeds), along),
        }),
    unload: () => program.unload(),
  };
}

/** Records a tape in the ids of the original; a seed at an unknown id is sent at an unknown id. */
function recordedIn(
  record: NonNullable<LoadedGraph["record"]>,
  ids: readonly NodeId[],
): NonNullable<LoadedGraph["record"]> {
  const nowhere = nodeId(Number.MAX_SAFE_INTEGER);
  return async (point, life, of, hooks) => {
    const recorded = await record(
      point,
      life,
      of.map((id) => present(ids[id], "id of a tape")),
      hooks?.map((id) => present(ids[id], "id of a hook")),
    );
    if (recorded.kind !== "result") return recorded;
    const tape = recorded.value;
    const sweep: OpenTape["sweep"] = (seeds, hook) =>
      tape.sweep(
        seeds.map(({ id, cotangent }) => ({ id: ids[id] ?? nowhere, cotangent })),
        // A hook that nobody asked for is reported by its own id.
        hook && ((id, cotangent) => hook(hooks?.find((one) => ids[one] === id) ?? id, cotangent)),
      );
    return { kind: "result", value: { sweep, release: () => tape.release() } };
  };
}

/** Picks the answers at `ids` from answers that begin with id `first`; a wrong count stays wrong. */
function picked(
  reply: Reply<readonly FlatTensor[]>,
  ids: readonly NodeId[],
  first: number,
): Reply<readonly FlatTensor[]> {
  if (reply.kind !== "result") return reply;
  return {
    kind: "result",
    value: ids.flatMap((id) => {
      const tensor = reply.value[id - first];
      return tensor === undefined ? [] : [tensor];
    }),
  };
}
