import { describe, expect, it } from "vitest";
import type { NodeOf } from "../graph.ts";
import { shapeOfNode } from "../graph.ts";
import type { Shape } from "../shape.ts";
import type { EnvironmentEntry } from "./signature.ts";
import { type AttributesOf, isOperatorName, type OperatorName, operatorNames, operators } from "./table.ts";

const environment: readonly EnvironmentEntry[] = [
  { name: "c", shape: [2], kind: "real" },
  { name: "i", shape: [4], kind: "index" },
  { name: "grid", shape: [2, 2], kind: "index" },
];

/** The shape of `op` applied to parents of these shapes, or the code of the fault. */
function shapeFrom<K extends OperatorName>(op: K, attributes: AttributesOf[K], parents: readonly Shape[]): Shape | string {
  const result = operators[op].shape(attributes, parents, environment);
  return result.ok ? result.value : result.error.code;
}

const unary = ["stop_gradient", "negative", "exp", "log", "sin", "cos", "tanh", "sqrt", "relu"] as const;
const binary = ["add", "subtract", "multiply", "divide", "maximum"] as const;
