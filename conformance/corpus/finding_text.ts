import { isOperatorName, type OperatorName } from "../../spec/composites/index.ts";
import { InvariantError } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { type CaseText, nodesFrom, question } from "./case_text.ts";
import type { VectorText } from "./vector_text.ts";

/** A fault of a published engine, as a case that shows it; `docs/findings.md` tells of it. */
export interface FindingText extends VectorText {
  /** The bundled engine that has the fault. */
  readonly engine: "jaxjs" | "tfjs" | "jax" | "autograd" | "pytorch" | "tinygrad" | "candle" | "gorgonia";
  readonly dtype: DataType;
  readonly verdict: "disagrees" | "crashed";
  /** The operator to blame; without one the engine accumulates cotangents wrongly. */
  readonly blames?: OperatorName;
}

/** A fault is asked this, and at these cotangents and tangents if not the usual ones. */
export type Asked = Pick<CaseText, "inputs" | "constants" | "indices" | "nodes" | "tangents" | "seeds">;

/**
 * Returns an engine's faults by heading: `name (operator, float32, clause): note`. In the operator's place
 * stands `cotangents` where none is to blame, and `crashed` where the engine throws. The type is float64
 * unless float32 is said; the clause is 7.3, or 2.5 where the engine throws, unless given.
 */
export function faultsOf(
  engine: FindingText["engine"],
  table: Readonly<Record<string, Asked | string>>,
): FindingText[] {
  return Object.entries(table).map(([heading, asked]) => {
    const [, name, blamed = "", type, given, note] =
      /^(\w+) \((\w+)(?:, (float32))?(?:, ([\d.]+))?\): (.+)$/.exec(heading) ?? [];
    if (name === undefined || note === undefined || !isBlamed(blamed))
      throw new InvariantError(`no heading of a fault: ${heading}`);
    const verdict = blamed === "crashed" ? "crashed" : "disagrees";
    return {
      name: `${engine}_${name}`,
      note,
      engine,
      dtype: type === undefined ? "float64" : "float32",
      clause: given ?? (verdict === "crashed" ? "2.5" : "7.3"),
      verdict,
      ...(isOperatorName(blamed) ? { blames: blamed } : {}),
      ...(typeof asked === "string" ? question(asked) : asked),
    };
  });
}

function isBlamed(word: string): boolean {
  return ["crashed", "cotangents"].includes(word) || isOperatorName(word);
}

/** Asks with the cotangents 1, 2, 3, … of the last id, whose shape is that of the first input. */
export function counted(text: string): Asked {
  const { inputs, nodes } = question(text);
  const values = Object.values(inputs);
  const [shape, elements] = values[0] ?? [[], []];
  const last = values.length + nodesFrom(nodes).length - 1;
  return { inputs, nodes, seeds: { [last]: [shape, elements.map((_, i) => i + 1)] } };
}
