import { plan, type Regime, writtenOut } from "../../../engines/compile/plan/index.ts";
import { lower } from "../../../engines/compile/plan/lower/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import { expandedIndexLimitsOf } from "../../../spec/expansion/index.ts";
import { type Graph, idCount } from "../../../spec/graph/index.ts";
import { InvariantError, nodeId } from "../../../spec/shapes/index.ts";
import type { Obligation } from "../obligation.ts";
import { axisMaps } from "./axis_maps.ts";
import { type Bounded, boundsObligation } from "./bounds.ts";
import { cases } from "./cases.ts";
import { concatMap } from "./concat_map.ts";
import { extentLemmas } from "./extents.ts";
import { flatMaps } from "./flat_maps.ts";
import { idLemmas } from "./ids.ts";
import { type Lemma, lemmaObligation } from "./lemma.ts";
import { matmulMaps } from "./matmul_maps.ts";
import { positions } from "./positions.ts";
import { sweepLemmas } from "./sweep_ids.ts";

/** This many tangents are asked for at once. */
const TANGENTS = 2;

/** Lowers a graph's value, tangents and cotangents to loops, as they are and as the planner leaves them. */
function programsOf(name: string, graph: Graph): readonly Bounded[] {
  if (!checkGraph(JSON.parse(JSON.stringify(graph))).ok)
    throw new InvariantError(`${name} is not well-formed`);
  const known = expandedIndexLimitsOf(graph);
  const limits = graph.environment
    .filter(({ kind }) => kind === "index")
    .map((entry) => known.get(entry.name) ?? []);
  const lowered = loops(graph, "bit_exact");
  const { program: planned } = plan(loops(graph, "fast"), { regime: "fast", precision: "float64" });
  return [
    { name: `${name}/lowered`, program: lowered, limits },
    { name: `${name}/planned`, program: planned, limits },
  ];
}

function loops(graph: Graph, regime: Regime) {
  const { graph: written, output } = writtenOut(graph, regime, undefined);
  const inputs = graph.inputs.map((_, id) => nodeId(id));
  const last = nodeId(idCount(written) - 1);
  return lower(
    written,
    {
      values: [last],
      tangents: { ids: [last], count: TANGENTS },
      cotangents: { ids: inputs, seeds: [{ id: output, from: "source" }] },
    },
    regime,
  );
}

/** These hold at all extents, indices and ids. */
const lemmas: readonly Lemma[] = [
  ...[...positions, ...extentLemmas, ...axisMaps, ...concatMap, ...flatMaps, ...matmulMaps],
  ...[...idLemmas, ...sweepLemmas],
];

/** States for each operator that loops of what `check` accepts stay within their tensors. */
export function wellformedObligations(): readonly Obligation[] {
  return [
    ...lemmas.map(lemmaObligation),
    ...Object.entries(cases).flatMap(([name, graph]) => programsOf(name, graph).map(boundsObligation)),
  ];
}
