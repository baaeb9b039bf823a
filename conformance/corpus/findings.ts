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
}

/**
 * Lists every finding: the vectors that say `finding`, an engine, the verdict, and the operator to blame.
 * Cost: the suites are read.
 */
export function findings(): readonly FindingText[] {
  return documentsOf("adjudge.vector.v1").flatMap(([path, { json, clauses, name = "" }]) => {
    const said = clauses.find(({ head }) => head.text === "finding");
    if (said === undefined) return [];
    const [who, verdict, blames] = said.words.map(({ text }) => text);
    const engine = engines.find((known) => known === who);
    const vector = checkVector(json);
    const isVerdict = verdict === "disagrees" || verdict === "crashed" || verdict === "imprecise";
    if (engine === undefined || !isVerdict || !vector.ok) throw new InvariantError(`${path} is no finding`);
    if (blames !== undefined && !isOperatorName(blames)) throw new InvariantError(`${path} blames ${blames}`);
    return [
      { name, engine, dtype: vector.value.dtype, verdict, ...(blames === undefined ? {} : { blames }) },
    ];
  });
}
