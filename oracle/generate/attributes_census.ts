import { shapesOf } from "../../spec/expansion/index.ts";
import type { Node, NodeOf } from "../../spec/graph/index.ts";
import { at, present, type Shape } from "../../spec/shapes/index.ts";
import type { Case } from "../case/index.ts";
import { type CorneredName, corners } from "./corners.ts";

function isCornered(node: Node): node is Node & NodeOf<CorneredName> {
  return Object.hasOwn(corners, node.op);
}

function nameOf(op: string, classes: readonly string[]): string {
  return `${op}: ${classes.join(", ")}`;
}

/** Lists all unordered pairs. */
function pairsOf<T>(list: readonly T[]): readonly (readonly [T, T])[] {
  return list.flatMap((x, i) => list.slice(i + 1).map((y) => [x, y] as const));
}

/** Lists what must occur of each operator: classes of a lone feature, or pairs of two features' classes. */
export const attributeCorners: readonly string[] = Object.entries(corners).flatMap(
  ([op, { features, impossible = [] }]) => {
    const [only = [], ...others] = features;
    if (others.length === 0) return only.map((name) => nameOf(op, [name]));
    return pairsOf(features)
      .flatMap(([left, right]) => left.flatMap((x) => right.map((y) => [x, y])))
      .filter(([x, y]) => !impossible.some((pair) => pair.every((name) => name === x || name === y)))
      .map((pair) => nameOf(op, pair));
  },
);

function rowsOf<K extends CorneredName>(
  node: NodeOf<K>,
  operands: readonly Shape[],
  { point }: Case,
): readonly (readonly string[])[] {
  const entry = (name: string) => present(point.environment.get(name), "value of an entry");
  return corners[node.op].rows(node, { operands, entry });
}

/** Finds the {@link attributeCorners} that occur in a case. */
export function attributeCornersIn(question: Case): ReadonlySet<string> {
  const { graph } = question;
  const shapes = shapesOf(graph);
  const found = new Set<string>();
  for (const node of graph.nodes) {
    if (!isCornered(node)) continue;
    const operands = node.parents.map((id) => at(shapes, id));
    for (const row of rowsOf(node, operands, question)) {
      const pairs = row.length === 1 ? [row] : pairsOf(row);
      for (const pair of pairs) found.add(nameOf(node.op, pair));
    }
  }
  return found;
}
