import { isOperatorName, type OperatorName } from "../../spec/composites/index.ts";
import { checkVector } from "../../spec/documents/index.ts";
import { InvariantError } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { documentsOf } from "./suite.ts";

/** The bundled engines in which a case of the suite shows a fault. */
const engines = [
  "jaxjs",
  "tfjs",
  "jax",
  "autograd",
  "pytorch",
  "tinygrad",
  "mygrad",
  "mlx",
  "casadi",
  "paddle",
  "pytensor",
  "drjit",
  "warp",
  "mindspore",
  "cppad",
  "num-dual",
  "gonum",
  "commons-math",
  "onnxruntime",
  "candle",
  "gorgonia",
] as const;

/** A fault of a published engine that a vector shows; `docs/findings.md` tells of it. */
export interface FindingText {
  /** The vector's name within the suite of findings. */
  readonly name: string;
  readonly engine: (typeof engines)[number];
  readonly dtype: DataType;
  /** Imprecise is what agrees because a slope was taken from a value, and has no right digit. */
  readonly verdict: "disagrees" | "crashed" | "imprecise";
  /** The operator to blame; without one the engine accumulates cotangents wrongly. */
  readonly blames?: OperatorName;
  /** Whether differentiation is at fault: the value is right, and a derivative is not, or there is none. */
  readonly isOfDerivative: boolean;
}

/**
 * Lists every finding: the vectors that say `finding`, an engine, the verdict, the operator to blame, and
 * `derivative` if the value is right. Cost: the suites are read.
 */
export function findings(): readonly FindingText[] {
  return documentsOf("adjudge.vector.v1").flatMap(([path, { json, clauses, name = "" }]) => {
    const said = clauses.find(({ head }) => head.text === "finding");
    if (said === undefined) return [];
    const [who, verdict, ...rest] = said.words.map(({ text }) => text);
    const isOfDerivative = rest.at(-1) === "derivative";
    const [blames, ...more] = isOfDerivative ? rest.slice(0, -1) : rest;
    const engine = engines.find((known) => known === who);
    const vector = checkVector(json);
    const isVerdict = verdict === "disagrees" || verdict === "crashed" || verdict === "imprecise";
    const isFinding = engine !== undefined && isVerdict && more.length === 0 && vector.ok;
    if (!isFinding) throw new InvariantError(`${path} is no finding`);
    if (blames !== undefined && !isOperatorName(blames)) throw new InvariantError(`${path} blames ${blames}`);
    const { dtype } = vector.value;
    return [{ name, engine, dtype, verdict, ...(blames === undefined ? {} : { blames }), isOfDerivative }];
  });
}
