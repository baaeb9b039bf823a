import { at } from "../../../spec/shapes/index.ts";
import type { Application, Expression, ScalarFunction } from "../plan/index.ts";
import type { Nest, Place } from "./nest.ts";

/** A node of a body computes one of these; operands are positions in the list of nodes. */
export type Operation =
  | { readonly kind: "literal"; readonly value: number }
  /** The element at a place of the nest; its lookups come before it. */
  | { readonly kind: "read"; readonly read: number; readonly lookups: readonly number[] }
  /** A looked-up word times its scale: a 32-bit integer, not a vector. */
  | { readonly kind: "lookup"; readonly place: Place; readonly lookup: number }
  /** All bits where the relation holds, none elsewhere. */
  | { readonly kind: "mask"; readonly relation: "lt" | "eq" | "ne"; readonly operands: readonly number[] }
  /** 1 where the mask is set, else 0. */
  | { readonly kind: "indicator"; readonly mask: number }
  | { readonly kind: "select"; readonly mask: number; readonly operands: readonly number[] }
  | { readonly kind: "apply"; readonly function: Applied; readonly operands: readonly number[] };

/** The functions that a node applies; comparisons and choices are nodes of their own. */
export type Applied = Exclude<ScalarFunction, "less" | "equal" | "select">;

/** A part of a body, with the axes on which it depends. */
export interface Node {
  readonly operation: Operation;
  readonly axes: ReadonlySet<number>;
}

/** The parts of a body, operands first. */
export interface Nodes {
  readonly list: readonly Node[];
  readonly root: number;
  /** Lookups of the target. */
  readonly targetLookups: readonly number[];
}

/** Splits the body of a nest into nodes. Equal reads, literals and shared expressions are one node. */
export function nodesOf(nest: Nest): Nodes {
  const list: Node[] = [];
  const known = new Map<Expression, number>();
  const masks = new Map<Expression, number>();
  const reads = new Map<number, number>();
  const literals = new Map<string, number>();
  const push = (operation: Operation, axes: Iterable<number>): number =>
    list.push({ operation, axes: new Set(axes) }) - 1;
  const over = (operation: Operation, operands: readonly number[]): number =>
    push(
      operation,
      operands.flatMap((operand) => [...at(list, operand).axes]),
    );
  const lookupsOf = (place: Place): number[] =>
    place.lookups.map(({ strides }, lookup) => push({ kind: "lookup", place, lookup }, movingAxes(strides)));
  const literalNode = (value: number): number =>
    once(literals, Object.is(value, -0) ? "-0" : String(value), () => push({ kind: "literal", value }, []));
  const readNode = (read: number): number =>
    once(reads, read, () => {
      const place = at(nest.reads, read);
      const lookups = lookupsOf(place);
      const axes = [...movingAxes(place.strides), ...lookups.flatMap((node) => [...at(list, node).axes])];
      return push({ kind: "read", read, lookups }, axes);
    });
  const maskNode = (condition: Expression): number =>
    once(masks, condition, () => {
      const isRelation =
        condition.kind === "apply" && (condition.function === "less" || condition.function === "equal");
      const operands = isRelation ? condition.operands.map(visit) : [visit(condition), literalNode(0)];
      const relation = !isRelation ? "ne" : condition.function === "less" ? "lt" : "eq";
      return over({ kind: "mask", relation, operands }, operands);
    });
  const applied = (expression: Application): number => {
    const name = expression.function;
    if (name === "less" || name === "equal") {
      const mask = maskNode(expression);
      return over({ kind: "indicator", mask }, [mask]);
    }
    if (name === "select") {
      const mask = maskNode(at(expression.operands, 0));
      const operands = expression.operands.slice(1).map(visit);
      return over({ kind: "select", mask, operands }, [mask, ...operands]);
    }
    const operands = expression.operands.map(visit);
    return over({ kind: "apply", function: name, operands }, operands);
  };
  const visit = (expression: Expression): number =>
    once(known, expression, () => {
      if (expression.kind === "literal") return literalNode(expression.value);
      return expression.kind === "read" ? readNode(expression.read) : applied(expression);
    });
  const root = visit(nest.expression);
  return { list, root, targetLookups: lookupsOf(nest.target) };
}

/** Returns the node that a key has; makes it where there is none. */
function once<K>(known: Map<K, number>, key: K, make: () => number): number {
  const node = known.get(key) ?? make();
  known.set(key, node);
  return node;
}

function movingAxes(strides: readonly number[]): number[] {
  return strides.flatMap((stride, axis) => (stride === 0 ? [] : [axis]));
}
