import { needsOf, type RuleGraph } from "../../spec/derivatives/index.ts";
import {
  entriesNamedBy,
  type Graph,
  isPrimitiveNode,
  type NodeOf,
  type PrimitiveGraph,
  type PrimitiveNode,
} from "../../spec/graph/index.ts";
import type { EnvironmentEntry, PrimitiveName } from "../../spec/operators/index.ts";
import {
  type Algebra,
  at,
  InvariantError,
  type NodeId,
  nodeId,
  type Shape,
} from "../../spec/shapes/index.ts";
import { type Context, entry } from "../context.ts";
import type { Environment } from "../environment.ts";
import { interpret } from "../interpret.ts";
import { evaluate } from "../sweep.ts";
import { type Tensor, zeros } from "../tensor.ts";

/** A derivative within others: the tape of what its variable led to. Inner levels have higher numbers. */
export interface Level<S> {
  readonly number: number;
  readonly lines: Line<S>[];
}

/** A number, or a place on the tape of a level, beside what the levels further out see there. */
export type Leveled<S> =
  | { readonly kind: "plain"; readonly tensor: Tensor<S> }
  | { readonly kind: "taped"; readonly level: Level<S>; readonly place: number; readonly value: Leveled<S> };

/** A level remembers these of an operation; a leaf has no node. */
interface Line<S> {
  readonly node: PrimitiveNode | undefined;
  /** Each operand is as the outer levels see it, with its place on this tape if it has one. */
  readonly operands: readonly { readonly value: Leveled<S>; readonly place: number | undefined }[];
  readonly value: Leveled<S>;
}

/** Tests plant faults in these operations on levels. */
export interface Leveling {
  /** Returns the level of a derivative within those that are open. */
  open<S>(open: readonly Level<S>[]): Level<S>;
  /** Returns the variable of a level, standing for a value. */
  variable<S>(level: Level<S>, value: Leveled<S>): Leveled<S>;
}

/** Every derivative has a level of its own, above those around it, with a variable of its own. */
export const soundLeveling: Leveling = {
  open: (open) => ({ number: open.length + 1, lines: [] }),
  variable: (level, value) => taped(level, { node: undefined, operands: [], value }),
};

/** Returns a value with a line of its own on a level's tape. */
function taped<S>(level: Level<S>, line: Line<S>): Leveled<S> {
  return { kind: "taped", level, place: level.lines.push(line) - 1, value: line.value };
}

/** Returns a number, which no level moves. */
export function plain<S>(tensor: Tensor<S>): Leveled<S> {
  return { kind: "plain", tensor };
}

/** Returns the tensor below all levels. */
export function settled<S>(value: Leveled<S>): Tensor<S> {
  let inner = value;
  while (inner.kind === "taped") inner = inner.value;
  return inner.tensor;
}

/**
 * Evaluates graphs whose derivatives are nodes, each with a tape of its own. An operation writes itself on
 * the tape of its operands' innermost level, and is computed on what outer levels see. A level's sweep is
 * made of operations too, on the tapes around it, so derivatives of derivatives follow. It owns the open
 * levels.
 */
export class Levels<S, B> {
  readonly #algebra: Algebra<S, B>;
  readonly #environment: Environment<S>;
  readonly #declared: ReadonlyMap<string, EnvironmentEntry>;
  readonly #leveling: Leveling;
  readonly #open: Level<S>[] = [];
  readonly #rules = new Map<string, RuleGraph>();

  constructor(
    algebra: Algebra<S, B>,
    environment: Environment<S>,
    declared: readonly EnvironmentEntry[],
    leveling: Leveling,
  ) {
    this.#algebra = algebra;
    this.#environment = environment;
    this.#declared = new Map(declared.map((declaration) => [declaration.name, declaration]));
    this.#leveling = leveling;
  }

  /** The values of all ids of a graph, its inputs being given. */
  run({ nodes }: Graph, inputs: readonly Leveled<S>[]): readonly Leveled<S>[] {
    const values = [...inputs];
    for (const node of nodes) {
      const operands = node.parents.map((id) => at(values, id));
      if (node.op === "differentiate") values.push(this.differentiate(node, operands));
      else if (isPrimitiveNode(node)) values.push(this.apply(node, operands));
      else throw new InvariantError(`${node.op} was to be written out`);
    }
    return values;
  }

  /** Returns the derivative that a node stands for. */
  differentiate({ attributes }: NodeOf<"differentiate">, operands: readonly Leveled<S>[]): Leveled<S> {
    const inputs = operands.slice(0, -1);
    const given = at(operands, operands.length - 1);
    if (attributes.mode === "vjp") return this.#pulled(attributes, inputs, given);
    // The cotangent is linear in what it is pulled back from: its own derivative is the tangent.
    const outer = this.#opened();
    const { shape } = settled(at(this.run(attributes.graph, inputs), attributes.of));
    const c = this.#leveling.variable(outer, plain(zeros(this.#algebra.additive, shape)));
    const pulled = this.#pulled(attributes, inputs, c);
    const found = placedAt(this.#swept(outer, pulled, given), c);
    this.#open.pop();
    return found ?? plain(zeros(this.#algebra.additive, shape));
  }

  #pulled(
    { graph, of, wrt }: NodeOf<"differentiate">["attributes"],
    inputs: readonly Leveled<S>[],
    c: Leveled<S>,
  ): Leveled<S> {
    const level = this.#opened();
    const variable = this.#leveling.variable(level, at(inputs, wrt));
    const values = this.run(graph, inputs.with(wrt, variable));
    const found = placedAt(this.#swept(level, at(values, of), c), variable);
    this.#open.pop();
    return found ?? plain(zeros(this.#algebra.additive, settled(variable).shape));
  }

  #opened(): Level<S> {
    const level = this.#leveling.open(this.#open);
    this.#open.push(level);
    return level;
  }

  /** Applies an operation to values of any levels. */
  apply(node: PrimitiveNode, operands: readonly Leveled<S>[]): Leveled<S> {
    const level = innermost(operands);
    if (level === undefined) return plain(this.#computed(node, operands.map(settled)));
    const seen = operands.map((operand) =>
      operand.kind === "taped" && operand.level === level
        ? { value: operand.value, place: operand.place }
        : { value: operand, place: undefined },
    );
    const value = this.apply(
      node,
      seen.map((operand) => operand.value),
    );
    return taped(level, { node, operands: seen, value });
  }

  /** Pulls a derivative's cotangent back through its sweep to each operand that it depends on. */
  pullBack(
    node: NodeOf<"differentiate">,
    operands: readonly Tensor<S>[],
    c: Tensor<S>,
  ): readonly (Tensor<S> | undefined)[] {
    const level = this.#opened();
    const variables = operands.map((operand) => this.#leveling.variable(level, plain(operand)));
    const cotangents = this.#swept(level, this.differentiate(node, variables), plain(c));
    this.#open.pop();
    return variables.map((variable) => {
      const found = placedAt(cotangents, variable);
      return found && settled(found);
    });
  }

  /** Sweeps a level's tape from `seed` at `result`, if that is on it: cotangents by their places. */
  #swept(level: Level<S>, result: Leveled<S>, seed: Leveled<S>): ReadonlyMap<number, Leveled<S>> {
    const cotangents = new Map<number, Leveled<S>>();
    if (result.kind !== "taped" || result.level !== level) return cotangents;
    cotangents.set(result.place, seed);
    for (let place = result.place; place >= 0; place--) {
      const [line, c] = [at(level.lines, place), cotangents.get(place)];
      if (line.node === undefined || c === undefined) continue;
      for (const [parent, bar] of this.#contributions(line.node, line, c)) {
        const other = cotangents.get(parent);
        cotangents.set(parent, other === undefined ? bar : this.#sum(other, bar));
      }
    }
    return cotangents;
  }

  /** Computes, on the outer levels, what a line contributes to each place. */
  #contributions(node: PrimitiveNode, { operands, value }: Line<S>, c: Leveled<S>): Map<number, Leveled<S>> {
    const { pulls } = this.#ruleOf(
      node,
      operands.map((operand) => settled(operand.value).shape),
      settled(value).shape,
    );
    const given = [...operands.map((operand) => operand.value), value, c];
    const bars = new Map<number, Leveled<S>>();
    for (const [place, { place: parent }] of operands.entries()) {
      const pull = pulls[place];
      if (pull === undefined || parent === undefined) continue;
      const bar = at(this.run(pull.graph, given), at(pull.results, 0));
      const other = bars.get(parent);
      bars.set(parent, other === undefined ? bar : this.#sum(other, bar));
    }
    return bars;
  }

  #sum(x: Leveled<S>, y: Leveled<S>): Leveled<S> {
    return this.apply({ op: "add", attributes: {}, parents: [nodeId(0), nodeId(1)] }, [x, y]);
  }

  #ruleOf<K extends PrimitiveName>(node: NodeOf<K>, operands: readonly Shape[], value: Shape): RuleGraph {
    const key = JSON.stringify([node.op, node.attributes, operands]);
    const rule =
      this.#rules.get(key) ?? needsOf(node, { operands, value }, entriesNamedBy(node, this.#declared));
    this.#rules.set(key, rule);
    return rule;
  }

  #computed(node: PrimitiveNode, operands: Context<S>): Tensor<S> {
    const parents = operands.map((_, place): NodeId => nodeId(place));
    const graph: PrimitiveGraph = {
      format: "adjudge.graph.v1",
      inputs: operands.map(({ shape }, place) => ({ name: String(place), shape })),
      environment: entriesNamedBy(node, this.#declared),
      nodes: [{ ...node, parents }],
    };
    const meaning = interpret(graph, this.#algebra);
    if (!meaning.ok) throw new InvariantError(`${this.#algebra.name} has no ${node.op}`);
    return entry(evaluate(meaning.value, operands, this.#environment), operands.length);
  }
}

/** Returns the innermost level among values, if one is on a tape. */
function innermost<S>(values: readonly Leveled<S>[]): Level<S> | undefined {
  let found: Level<S> | undefined;
  for (const value of values)
    if (value.kind === "taped" && (found === undefined || value.level.number > found.number))
      found = value.level;
  return found;
}

function placedAt<S>(
  cotangents: ReadonlyMap<number, Leveled<S>>,
  variable: Leveled<S>,
): Leveled<S> | undefined {
  return variable.kind === "taped" ? cotangents.get(variable.place) : undefined;
}
