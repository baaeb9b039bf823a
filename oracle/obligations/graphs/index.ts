import { made } from "../made.ts";
import type { Obligation } from "../obligation.ts";
import { checkpointingObligation } from "./checkpointing.ts";
import { polynomialGraphs, polynomialObligation } from "./polynomials.ts";

export { adjointSquare, brokenSteps, type Square } from "./adjoint_square.ts";
export { drawGraph } from "./generate.ts";

/** States what holds of whole generated graphs for all inputs. */
export function graphObligations(): readonly Obligation[] {
  const graphs = polynomialGraphs();
  const numbered = (name: string, index: number): string =>
    `graphs/${name}_${String(index + 1).padStart(2, "0")}`;
  return [
    ...graphs.map((graph, index) =>
      made(numbered("polynomial", index), () => polynomialObligation(graph, index)),
    ),
    ...graphs.map((graph, index) =>
      made(numbered("checkpointed", index), () => checkpointingObligation(graph, index)),
    ),
  ];
}
