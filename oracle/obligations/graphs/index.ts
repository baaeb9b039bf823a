import type { Obligation } from "../obligation.ts";
import { checkpointingObligation } from "./checkpointing.ts";
import { polynomialGraphs, polynomialObligation } from "./polynomials.ts";

export { adjointSquare, brokenSteps, type Square } from "./adjoint_square.ts";
export { drawGraph } from "./generate.ts";

/** States what holds of whole generated graphs for all inputs. */
export function graphObligations(): readonly Obligation[] {
  const graphs = polynomialGraphs();
  return [...graphs.map(polynomialObligation), ...graphs.map(checkpointingObligation)];
}
