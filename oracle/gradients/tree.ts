import { type BoundedSum, bitsNeeded, type Register } from "../../reference/numerics/index.ts";
import type {
  AccumulationJson,
  DimensionsJson,
  GradientModeJson,
  GradientTreeJson,
  RepresentationsJson,
  StageJson,
} from "../../spec/explained/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, type Issue, type NodeId, ok, type Result } from "../../spec/shapes/index.ts";
import { positName } from "../../spec/wire/index.ts";
import { nameOfId } from "../case/index.ts";
import { coeffectsOf, type MemoryAsked } from "../diagnosis/coeffects/index.ts";
import type { Target } from "../representations/index.ts";
import { graphSums, type NamedSum, planSums, type SumsAsked, sectionOf } from "../widths/index.ts";
import { elementsOf, qualityOf } from "./quality.ts";
import { escapesIn } from "./signature.ts";
import { onTarget } from "./targets.ts";

/** A user asks for a tree of each gradient of the results by one of `wrt`. */
export interface GradientsAsked extends MemoryAsked {
  readonly register: Register;
  /** The ranges of what is given, as codes of the register; without them it may be anything. */
  readonly given: SumsAsked["given"];
  readonly targets: readonly Target[];
  /** What dimensions were found, and which formats, if they were asked about. */
  readonly dimensions: DimensionsJson;
  readonly representations?: RepresentationsJson;
}

/** Trees, and the sums whose width their leaves state: of the graph, and those that the plan states anew. */
export interface GrownTrees {
  readonly trees: readonly GradientTreeJson[];
  readonly sums: readonly BoundedSum[];
}

/**
 * Tells in one tree what is known of each gradient: its dimension; and for each mode how good it is, the
 * width invariant of every sum at the graph and at each stage of the plan, memory, tape and escape, and what
 * it costs on each target. Fails: as {@link coeffectsOf} does. Throws `RangeError` where the lowering finds a
 * tensor too large to count in. Cost: two lowerings with all passes for each gradient.
 */
export function gradientTrees(graph: Graph, asked: GradientsAsked): Result<GrownTrees, Issue[]> {
  const grown: GrownTrees[] = [];
  for (const [place, wrt] of asked.wrt.entries()) {
    const tree = treeOf(graph, wrt, place, asked);
    if (!tree.ok) return tree;
    grown.push(tree.value);
  }
  return ok({ trees: grown.flatMap(({ trees }) => trees), sums: grown.flatMap(({ sums }) => sums) });
}

function treeOf(
  graph: Graph,
  wrt: NodeId,
  place: number,
  asked: GradientsAsked,
): Result<GrownTrees, Issue[]> {
  const { register, dimensions, of } = asked;
  const memory = coeffectsOf(graph, { ...asked, wrt: [wrt] });
  if (!memory.ok) return memory;
  const sums = {
    forward: summed(graph, wrt, "forward", asked),
    reverse: summed(graph, wrt, "reverse", asked),
  };
  const elements = elementsOf(graph, [wrt]);
  const dimension = dimensionOf(dimensions, place, graph, of, wrt);
  const { axis, modes } = memory.value;
  const tree: GradientTreeJson = {
    of: of.map((id) => nameOfId(graph, id)).join(", "),
    wrt: nameOfId(graph, wrt),
    elements,
    ...(dimension === undefined ? {} : { measuredIn: dimension }),
    accumulator: {
      name: register.name,
      codes:
        register.codes.kind === "posit"
          ? positName(register.codes.format)
          : `codes of ${register.codes.bits} bits`,
      bits: register.bits,
      bytes: Math.ceil(register.bits / 8),
      roundsTerms: register.roundsTerms,
    },
    ...(axis?.isFollowed === true ? { axisLength: axis.length } : {}),
    modes: modes.map((told, n): GradientModeJson => {
      const mode = at(asked.modes, n);
      const own = sums[mode.kind === "forward" ? "forward" : "reverse"];
      const run = asked.representations?.runs[mode.kind === "forward" ? 2 : 1];
      const question = {
        register,
        sums: own.sums,
        memory: told,
        copies: mode.kind === "forward" ? 1 + mode.tangents : 1,
        ...(run === undefined ? {} : { run: { told: run, result: place } }),
      };
      return {
        mode: told.mode,
        ...qualityOf(graph, [wrt], mode),
        sums: own.sums.map((sum) => accumulation(sum, sum.name, register)),
        proofs: ["integers", "words"].map((theory) => `widths/${register.name.replace(":", "_")}/${theory}`),
        stages: own.stages,
        memory: told.peak,
        tape: told.kept,
        escapes: escapesIn(told).values,
        targets: asked.targets.map((target) => onTarget(target, question)),
      };
    }),
  };
  return ok({ trees: [tree], sums: [...sums.forward.bounds, ...sums.reverse.bounds] });
}

interface Summed {
  readonly sums: readonly NamedSum[];
  readonly stages: readonly StageJson[];
  /** These are the sums of the graph and of all stages. */
  readonly bounds: readonly BoundedSum[];
}

/** Collects the sums of a gradient at the graph, and at each stage of its plan. */
function summed(graph: Graph, wrt: NodeId, mode: "forward" | "reverse", asked: GradientsAsked): Summed {
  const { of, register, given } = asked;
  // A tangent is pushed forward from an input alone.
  if (mode === "forward" && wrt >= graph.inputs.length) return { sums: [], stages: [], bounds: [] };
  const question: SumsAsked = { graph, of, wrt: [wrt], mode, register, batches: 1, given };
  const sums = graphSums(question);
  const section = sectionOf(planSums(question, sums));
  const stages = section.map(
    ({ name, kind, sums: some }): StageJson => ({
      name,
      kind,
      sums: some.map((sum) => accumulation(sum, name, register)),
    }),
  );
  return { sums, stages, bounds: [...sums, ...section.flatMap((stage) => stage.sums)] };
}

function accumulation(sum: BoundedSum, name: string, register: Register): AccumulationJson {
  const needed = bitsNeeded(register, sum);
  return { name, terms: sum.terms, bitsNeeded: needed, fits: needed <= register.bits };
}

/** A dimension with more free names is told as the quotient of the two values' own. */
const MOST_FREE = 2;

function dimensionOf(
  dimensions: DimensionsJson,
  place: number,
  graph: Graph,
  of: readonly NodeId[],
  wrt: NodeId,
): string | undefined {
  if (dimensions.kind === "obstructed") return undefined;
  const told = dimensions.gradients.map(({ cotangents }) => cotangents[place]?.blocks ?? []);
  const all = new Set(told.flatMap((blocks) => blocks.map(({ dimension }) => dimension)));
  const [one] = all;
  if (all.size === 1 && one !== undefined && one.split("⟨").length - 1 <= MOST_FREE) return one;
  const name = (id: NodeId): string => graph.inputs[id]?.name ?? `node ${id}`;
  return of.map((id) => `⟨${name(id)}⟩·⟨${name(wrt)}⟩⁻¹`).join(", ");
}
