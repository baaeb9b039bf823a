import type { Random } from "fast-check";
import type { OperatorName } from "../../spec/composites/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, Point, Seed } from "../../spec/graph/index.ts";
import type { InPart } from "../../spec/promises/index.ts";
import { at, type NodeId, nodeId, type Shape } from "../../spec/shapes/index.ts";
import type { RecordStep, SweepStep, TapeCase, TapeStep } from "../../spec/tapes/index.ts";
import type { FlatTensor, TapeLife } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { type Drawing, drawnAt } from "../generate/index.ts";
import { drawElements, happens, oneOf, randomAt } from "../random/index.ts";

/** Random scripts are drawn from this. */
export interface ScriptProfile {
  readonly drawing: Drawing;
  readonly operators: readonly OperatorName[];
  /** The engine promises some of them in part. */
  readonly promised?: InPart;
  /** Tapes have these lives. */
  readonly lives: readonly [TapeLife, ...TapeLife[]];
  /** If true, hooks hang on some tapes. */
  readonly hooks?: boolean;
}

/** A script being written knows this of each tape. */
interface Recorded {
  readonly record: RecordStep;
  readonly graph: Graph;
  readonly shapes: readonly Shape[];
  /** These are the seeds of its right sweeps. */
  readonly swept: (readonly Seed[])[];
  isReleased: boolean;
}

/** A script has at most so many steps, and so many tapes. */
const MOST_STEPS = 10;
const MOST_TAPES = 4;

/**
 * Draws script number `index` of the campaign of `seed`: tapes of one or two random graphs at a few points,
 * swept rightly, wrongly, repeatedly and together, and released. `checkTapeCase` accepts every script.
 */
export function scriptAt(
  { drawing, operators, promised = {}, lives, hooks = false }: ScriptProfile,
  seed: number,
  index: number,
): TapeCase {
  const random = randomAt(seed, index);
  const count = happens(random, 1, 3) ? 2 : 1;
  const drawn = (place: number): Case =>
    drawnAt(drawing, operators, seed, place, { ...promised, accumulation: {} });
  const first = drawn(2 * index);
  const isSibling = operators.includes("negative") && happens(random, 1, 2);
  const other = (): Case => (isSibling ? continued(first) : drawn(2 * index + 1));
  const cases = count === 1 ? [first] : [first, other()];
  const steps: TapeStep[] = [];
  const tapes: Recorded[] = [];
  const write = (step: TapeStep): void => void steps.push(step);
  while (steps.length < MOST_STEPS) {
    if (tapes.length === 0 || (tapes.length < MOST_TAPES && happens(random, 1, 4))) {
      const graph = random.nextInt(0, count - 1);
      const { graph: own, point, seeds } = at(cases, graph);
      const shapes = shapesOf(own);
      const of = idsOf(random, seeds, shapes.length);
      const record: RecordStep = {
        do: "record",
        tape: `t${tapes.length}`,
        graph,
        point: happens(random, 1, 2) ? point : halved(own, point),
        life: oneOf(random, lives),
        of,
        ...(hooks && happens(random, 1, 3) ? { hooks: hung(random, shapes.length) } : {}),
      };
      tapes.push({ record, graph: own, shapes, swept: [], isReleased: false });
      write(record);
      continue;
    }
    const tape = at(tapes, random.nextInt(0, tapes.length - 1));
    if (happens(random, 1, 10)) {
      tape.isReleased = true;
      write({ do: "release", tape: tape.record.tape });
      continue;
    }
    const isTogether = steps.at(-1)?.do === "sweep" && happens(random, 1, 3);
    const sweep = happens(random, 1, 5) ? wronglySwept(random, tape) : swept(random, tape, isTogether);
    write(isTogether ? { ...sweep, together: true } : sweep);
  }
  return { graphs: cases.map(({ graph }) => graph), steps };
}

/** Returns a case on the same inputs, whose graph adds the negative of its last node. */
function continued({ graph, ...rest }: Case): Case {
  const last = nodeId(graph.inputs.length + graph.nodes.length - 1);
  const nodes = [...graph.nodes, { op: "negative", attributes: {}, parents: [last] } as const];
  return { ...rest, graph: { ...graph, nodes } };
}

/** Picks some ids: all at which the case has seeds, the last, and perhaps one more. */
function idsOf(random: Random, seeds: readonly Seed[], count: number): NodeId[] {
  const ids = new Set(seeds.map(({ id }) => id));
  ids.add(nodeId(count - 1));
  if (happens(random, 1, 3)) ids.add(nodeId(random.nextInt(0, count - 1)));
  return [...ids].sort((a, b) => a - b);
}

/** Picks one to three ids for hooks, or a few more. */
function hung(random: Random, count: number): NodeId[] {
  const most = happens(random, 1, 4) ? count : 3;
  const ids = Array.from({ length: random.nextInt(1, most) }, () => nodeId(random.nextInt(0, count - 1)));
  return [...new Set(ids)].sort((a, b) => a - b);
}

function swept(random: Random, tape: Recorded, isTogether: boolean): SweepStep {
  const { record, shapes, isReleased } = tape;
  const known = tape.swept.at(-1);
  const isSame = known !== undefined && happens(random, 1, 2);
  const seeds = isSame ? known : seedsFor(random, record.of, shapes);
  const first = tape.swept[0];
  const step = { do: "sweep", tape: record.tape, seeds } as const;
  if (isReleased) return { ...step, refuse: "must" };
  if (record.life === "until released" || first === undefined) {
    tape.swept.push(seeds);
    return { ...step, refuse: "never" };
  }
  // Two sweeps under way at once need not know of each other.
  const isLate = !isTogether && readsTheSame(tape.graph, first, seeds);
  return { ...step, refuse: isLate ? "must" : "may" };
}

/** Sweeps with a seed that does not fit, which leaves the tape as it was. */
function wronglySwept(random: Random, { record, shapes }: Recorded): SweepStep {
  const right = seedsFor(random, record.of, shapes);
  const place = random.nextInt(0, right.length - 1);
  const { id, cotangent } = at(right, place);
  const elsewhere = shapes.findIndex((_, other) => !record.of.includes(nodeId(other)));
  const foreign = elsewhere >= 0 && happens(random, 1, 2) ? elsewhere : shapes.length;
  const wrong: Seed = happens(random, 1, 2)
    ? { id, cotangent: longer(cotangent) }
    : { id: nodeId(foreign), cotangent };
  return { do: "sweep", tape: record.tape, seeds: right.with(place, wrong), refuse: "must" };
}

/** Draws cotangents at one or more of the ids. */
function seedsFor(random: Random, of: readonly NodeId[], shapes: readonly Shape[]): Seed[] {
  const chosen = of.filter(() => happens(random, 2, 3));
  const used: number[] = [];
  return (chosen.length === 0 ? of.slice(-1) : chosen).map((id) => {
    const shape = at(shapes, id);
    const size = shape.reduce((product, extent) => product * extent, 1);
    return { id, cotangent: { shape, data: drawElements(random, size, "signed", used) } };
  });
}

/** Returns a tensor of another shape. */
function longer({ shape, data }: FlatTensor): FlatTensor {
  return { shape: [...shape, 2], data: Float64Array.from([...data, ...data]) };
}

/** Halves every number but indices, which gives a point with the same signs. */
function halved(graph: Graph, { inputs, environment }: Point): Point {
  const half = ({ shape, data }: FlatTensor): FlatTensor => ({ shape, data: data.map((x) => x / 2) });
  const indices = graph.environment.filter(({ kind }) => kind === "index").map(({ name }) => name);
  const entries = [...environment].map(([name, tensor]): [string, FlatTensor] => [
    name,
    indices.includes(name) ? tensor : half(tensor),
  ]);
  return { inputs: inputs.map(half), environment: new Map(entries) };
}

/** The reverse rules of these operators read an operand or the value, in every engine. */
const savers: readonly OperatorName[] = ["exp", "log", "sin", "cos", "tanh", "sqrt", "multiply", "divide"];

/** Every engine hands cotangents on through these operators. */
const conductors: readonly OperatorName[] = [
  ...savers,
  "add",
  "subtract",
  "negative",
  "sum",
  "reshape",
  "permute_dims",
  "broadcast_to",
];

/** Tells if two sweeps read what one node saved: an engine that dropped it must refuse the second. */
function readsTheSame(graph: Graph, first: readonly Seed[], second: readonly Seed[]): boolean {
  const { inputs, nodes } = graph;
  const varied = new Set<number>(inputs.keys());
  for (const [index, { op, parents }] of nodes.entries())
    if (conductors.includes(op) && parents.some((id) => varied.has(id))) varied.add(inputs.length + index);
  const [a, b] = [reachedBy(graph, first), reachedBy(graph, second)];
  return nodes.some(({ op, parents }, index) => {
    const id = inputs.length + index;
    const isSaving =
      savers.includes(op) && parents.length > 0 && parents.every((parent) => varied.has(parent));
    return isSaving && a.has(id) && b.has(id);
  });
}

/** Returns the ids a sweep surely reaches; those behind a step, a comparison or a composite are left out. */
function reachedBy({ inputs, nodes }: Graph, seeds: readonly Seed[]): ReadonlySet<number> {
  const reached = new Set<number>(seeds.map(({ id }) => id));
  for (const [index, { op, parents }] of [...nodes.entries()].reverse())
    if (reached.has(inputs.length + index) && conductors.includes(op))
      for (const id of parents) reached.add(id);
  return reached;
}
