import type { Scope, Value } from "../../spec/builder/index.ts";
import { type AttributesOf, type CompositeRows, composites } from "../../spec/composites/index.ts";
import type { Derived } from "../../spec/derivatives/index.ts";
import { expandUnless } from "../../spec/expansion/index.ts";
import { type Graph, isPrimitiveNode, type PrimitiveNode } from "../../spec/graph/index.ts";
import { at, InvariantError, type NodeId, type Shape } from "../../spec/shapes/index.ts";
import {
  type Entry,
  type ForwardLevel,
  innermost,
  type Level,
  type Leveled,
  lowered,
  placeAt,
  plain,
  settled,
  shapeOf,
  type TapeLevel,
  tangentAt,
} from "./leveled.ts";
import { type Applied, isApplied, isZero, ruleOf } from "./rules.ts";

/** The attributes of `differentiate`. */
export type DifferentiateAttributes = AttributesOf["differentiate"];

/** The steps of a nested differentiation, of which a mutant changes some. Outer levels pass through. */
export interface Nesting {
  /** Returns the number of the level inside `depth − 1` others, which is greater than theirs. */
  number(depth: number, mode: "vjp" | "jvp"): number;
  /** Returns what is differentiated. */
  asked(attributes: DifferentiateAttributes, turn: Turn): DifferentiateAttributes;
  /** Returns an input of the inner graph, before it is perturbed if it is `wrt`. */
  entering(operand: Leveled, place: number, turn: Turn): Leveled;
  /** Returns the given tangent or cotangent. */
  given(perturbation: Leveled, turn: Turn): Leveled;
  /** Returns the tangent or cotangent that was found; `undefined` for zero. */
  leaving(found: Leveled | undefined, turn: Turn): Leveled | undefined;
  /** Returns an operand that a rule reads. */
  operand(value: Leveled, reading: Reading): Leveled;
  /** Returns the value of a node that a rule reads. */
  saved(value: Leveled, reading: Reading): Leveled;
  /** Returns the value of a node as outer levels see it. */
  primal(node: PrimitiveNode, operands: readonly Leveled[], reading: Reading): Leveled;
  /** Returns the derivative of a node. */
  rule(applied: Applied, mode: "vjp" | "jvp", wrt: readonly number[], level: Level): Derived;
  /** Adds a cotangent to those that arrived at a value before. */
  sum(before: Leveled, next: Leveled, reading: Reading): Leveled;
}

/** One differentiation. */
export interface Turn {
  readonly depth: number;
  readonly level: Level;
  readonly attributes: DifferentiateAttributes;
  readonly operands: readonly Leveled[];
  readonly engine: Evaluation;
}

/** A node that is differentiated at a level. */
interface Reading {
  readonly level: Level;
  readonly op: PrimitiveNode["op"];
  readonly engine: Evaluation;
}

/** The correct steps. */
export const soundNesting: Nesting = {
  number: (depth) => depth,
  asked: (attributes) => attributes,
  entering: (operand) => operand,
  given: (perturbation) => perturbation,
  leaving: (found) => found,
  operand: (value) => value,
  saved: (value) => value,
  primal: (node, operands, { engine }) => engine.apply(node, operands),
  rule: (applied, mode, wrt) => ruleOf(applied, mode, wrt),
  sum: (before, next, { engine }) => engine.add(before, next),
};

/**
 * The table of composites in which `differentiate` is computed by levels, of dual numbers or a tape, whose
 * tangents and cotangents are values of the levels around it.
 */
export function nestedRows(nesting: Nesting): CompositeRows {
  return {
    ...composites,
    differentiate: {
      ...composites.differentiate,
      expand: (scope, attributes, ...operands) =>
        new Evaluation(scope, nesting).differentiate(attributes, operands.map(plain)),
    },
  };
}

/** Writes operations on plain values into a scope, and reduces others to them; owns depth and inner Δ. */
export class Evaluation {
  readonly scope: Scope;
  readonly #nesting: Nesting;
  #depth = 0;
  #environment: Graph["environment"] = [];

  constructor(scope: Scope, nesting: Nesting) {
    this.scope = scope;
    this.#nesting = nesting;
  }

  /** Returns the value of a `differentiate` of plain values. */
  differentiate(attributes: DifferentiateAttributes, operands: readonly Leveled[]): Value {
    return settled(this.#within(attributes, operands));
  }

  /** Applies a primitive at the innermost level of its operands. */
  apply(node: PrimitiveNode, operands: readonly Leveled[]): Leveled {
    const level = innermost(operands);
    if (level === undefined) {
      const { op, attributes } = node;
      return plain(this.scope.apply(op, attributes, operands.map(settled)));
    }
    const reading = { level, op: node.op, engine: this };
    const primals = operands.map((operand) => lowered(operand, level));
    const value = this.#nesting.primal(node, primals, reading);
    return level.kind === "forward"
      ? this.#pushed(node, operands, primals, value, level)
      : this.#taped(node, operands, primals, value, level);
  }

  /** Adds two values. */
  add(x: Leveled, y: Leveled): Leveled {
    return this.apply({ op: "add", attributes: {}, parents: [] }, [x, y]);
  }

  /** Makes a tensor of one number. */
  full(shape: Shape, value: number): Leveled {
    return plain(this.scope.full({ shape, value }));
  }

  #within(attributes: DifferentiateAttributes, operands: readonly Leveled[]): Leveled {
    const outside = this.#environment;
    this.#depth += 1;
    this.#environment = attributes.graph.environment;
    const found = this.#turn(attributes, operands);
    this.#depth -= 1;
    this.#environment = outside;
    return found;
  }

  #turn(attributes: DifferentiateAttributes, operands: readonly Leveled[]): Leveled {
    const nesting = this.#nesting;
    const number = nesting.number(this.#depth, attributes.mode);
    const level: Level =
      attributes.mode === "jvp"
        ? { kind: "forward", number }
        : { kind: "tape", number, tape: { entries: [], places: 1 } };
    const turn = { depth: this.#depth, level, attributes, operands, engine: this };
    const asked = nesting.asked(attributes, turn);
    const entering = operands.slice(0, -1).map((operand, place) => nesting.entering(operand, place, turn));
    const given = nesting.given(at(operands, operands.length - 1), turn);
    const found =
      level.kind === "forward"
        ? this.#forward(asked, entering, given, level)
        : this.#reverse(asked, entering, given, level);
    const shape = asked.mode === "jvp" ? found.shape : shapeOf(at(entering, asked.wrt));
    return nesting.leaving(found.value, turn) ?? this.full(shape, 0);
  }

  #forward(
    { graph, of, wrt }: DifferentiateAttributes,
    operands: readonly Leveled[],
    tangent: Leveled,
    level: ForwardLevel,
  ): Found {
    const dual: Leveled = { kind: "dual", level, primal: at(operands, wrt), tangent };
    const value = this.#evaluate(graph, operands.with(wrt, dual), of);
    return { value: tangentAt(value, level), shape: shapeOf(value) };
  }

  #reverse(
    { graph, of, wrt }: DifferentiateAttributes,
    operands: readonly Leveled[],
    cotangent: Leveled,
    level: TapeLevel,
  ): Found {
    const cell: Leveled = { kind: "cell", level, primal: at(operands, wrt), place: 0 };
    const value = this.#evaluate(graph, operands.with(wrt, cell), of);
    const from = placeAt(value, level);
    const cotangents = new Map<number, Leveled>(from === undefined ? [] : [[from, cotangent]]);
    for (const entry of level.tape.entries.toReversed()) this.#sweep(entry, cotangents, level);
    return { value: cotangents.get(0), shape: shapeOf(value) };
  }

  /** Computes the value of an id of a graph. */
  #evaluate(graph: Graph, operands: readonly Leveled[], of: NodeId): Leveled {
    const { graph: written, ids } = expandUnless(graph, (op) => op === "differentiate");
    const values = [...operands];
    for (const node of written.nodes) {
      const read = node.parents.map((id) => at(values, id));
      if (node.op === "differentiate") values.push(this.#within(node.attributes, read));
      else if (isPrimitiveNode(node)) values.push(this.apply(node, read));
      else throw new InvariantError(`${node.op} is not written out`);
    }
    return at(values, at(ids, of));
  }

  #pushed(
    node: PrimitiveNode,
    operands: readonly Leveled[],
    primals: readonly Leveled[],
    value: Leveled,
    level: ForwardLevel,
  ): Leveled {
    const tangents = operands.map((operand) => tangentAt(operand, level));
    const wrt = tangents.flatMap((tangent, place) => (tangent === undefined ? [] : [place]));
    const moving = tangents.flatMap((tangent) => tangent ?? []);
    const rule = this.#ruleAt(node, primals, value, level);
    const tangent = rule("jvp", wrt, moving);
    return tangent === undefined ? value : { kind: "dual", level, primal: value, tangent };
  }

  #taped(
    node: PrimitiveNode,
    operands: readonly Leveled[],
    primals: readonly Leveled[],
    value: Leveled,
    level: TapeLevel,
  ): Leveled {
    const { tape } = level;
    const rule = this.#ruleAt(node, primals, value, level);
    const place = tape.places++;
    const operandPlaces = operands.map((operand) => placeAt(operand, level));
    tape.entries.push({
      place,
      operandPlaces,
      pull: (operand, cotangent) => rule("vjp", [operand], [cotangent]),
    });
    return { kind: "cell", level, primal: value, place };
  }

  /** Returns a function that computes a node's derivative from perturbations, at the outer levels. */
  #ruleAt(
    node: PrimitiveNode,
    primals: readonly Leveled[],
    value: Leveled,
    level: Level,
  ): (mode: "vjp" | "jvp", wrt: readonly number[], perturbations: readonly Leveled[]) => Leveled | undefined {
    const applied: Applied = { node, shapes: primals.map(shapeOf), environment: this.#environment };
    const reading = { level, op: node.op, engine: this };
    return (mode, wrt, perturbations) => {
      const rule = this.#nesting.rule(applied, mode, wrt, level);
      if (isZero(rule)) return undefined;
      const values = [
        ...primals.map((primal) => this.#nesting.operand(primal, reading)),
        ...perturbations,
      ].slice(0, rule.graph.inputs.length);
      for (const step of rule.graph.nodes) {
        values.push(
          isApplied(step, applied)
            ? this.#nesting.saved(value, reading)
            : this.apply(
                step,
                step.parents.map((id) => at(values, id)),
              ),
        );
      }
      return at(values, at(rule.results, 0));
    };
  }

  #sweep(entry: Entry, cotangents: Map<number, Leveled>, level: TapeLevel): void {
    const cotangent = cotangents.get(entry.place);
    if (cotangent === undefined) return;
    const reading: Reading = { level, op: "add", engine: this };
    entry.operandPlaces.forEach((place, operand) => {
      const bar = place === undefined ? undefined : entry.pull(operand, cotangent);
      if (place === undefined || bar === undefined) return;
      const before = cotangents.get(place);
      cotangents.set(place, before === undefined ? bar : this.#nesting.sum(before, bar, reading));
    });
  }
}

/** A tangent or a cotangent, `undefined` for zero, and the shape of the value that it belongs to. */
interface Found {
  readonly value: Leveled | undefined;
  readonly shape: Shape;
}
