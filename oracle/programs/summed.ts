import type { Let, ResultName, Statement } from "../../spec/programs/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import type { Origins } from "./origins.ts";

/** Returns statements that add up all elements of these names, each name with a weight of its own. */
export function summed(
  results: readonly ResultName[],
  origins: Origins,
): { readonly statements: readonly Statement[]; readonly total: ResultName } {
  const statements: Let[] = [];
  const scalar: Shape = [];
  const last = (): string => statements.at(-1)?.name ?? "";
  for (const [place, { name, shape }] of results.entries()) {
    const [before, sum, weight, weighted] = [last(), origins.fresh(), origins.fresh(), origins.fresh()];
    const axes = shape.map((_, axis) => axis);
    statements.push(
      { do: "let", name: sum, op: "sum", attributes: { axes, keepdims: false }, operands: [name] },
      { do: "let", name: weight, op: "full", attributes: { shape: scalar, value: place + 2 }, operands: [] },
      { do: "let", name: weighted, op: "multiply", attributes: {}, operands: [sum, weight] },
    );
    if (place === 0) continue;
    const total = origins.fresh();
    statements.push({ do: "let", name: total, op: "add", attributes: {}, operands: [before, weighted] });
  }
  return { statements, total: { name: last(), shape: scalar } };
}
