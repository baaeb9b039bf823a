import binaryen from "binaryen";
import { at } from "../../../../spec/shapes/index.ts";
import { apply, type Expression, read } from "../../plan/index.ts";
import { type ScalarName, scalarRules, type Variant } from "../../plan/scalar/index.ts";
import type { Functions } from "../functions.ts";
import type { Code } from "../lanes.ts";
import { emission, Variables } from "./emission.ts";
import { Loop, type Places } from "./loop.ts";

const element = { x: read(0), y: read(1), z: read(2), value: read(3) };
const cotangent = read(4);
const tangents = { xDot: read(5), yDot: read(6), zDot: read(7) };

/** Adds functions `(from, to)` of slot numbers: loops over runs, made from operators' rules. */
export class Kernels {
  readonly #functions: Functions;
  readonly #places: Places;

  constructor(functions: Functions, places: Places) {
    this.#functions = functions;
    this.#places = places;
  }

  /** Stores the values of a run. */
  forward(label: string, name: ScalarName): void {
    this.#loop(label, [scalarRules[name].forward(element)], [], (loop, results, active) =>
      results.map((result) => loop.storeOwn("value", active, result())),
    );
  }

  /** Stores the tangents of a run. */
  tangent(label: string, name: ScalarName): void {
    const tangent = scalarRules[name].push?.(element, tangents) ?? zero;
    this.#loop(label, [tangent], [], (loop, results, active) =>
      results.map((result) => loop.storeOwn("cotangent", active, result())),
    );
  }

  /** Adds the contributions of a run, node after node. */
  reverse(label: string, variant: Variant): void {
    const contributions = contributionsOf(variant);
    const targets = this.#places.isStaged ? [] : contributions.map(({ operand }) => operand);
    const expressions = contributions.map(({ expression }) => expression);
    this.#loop(label, expressions, targets, (loop, results, active) =>
      Array.from({ length: active }, (_, lane) => lane).flatMap((lane) =>
        contributions.map(({ operand }, n) => loop.contribute(operand, lane, at(results, n)())),
      ),
    );
  }

  #loop(
    label: string,
    expressions: readonly Expression[],
    targets: readonly number[],
    stores: (loop: Loop, results: readonly (() => Code)[], active: number) => readonly Code[],
  ): void {
    const { module, lanes } = this.#functions;
    const variables = new Variables(2);
    const loop = new Loop(this.#functions, this.#places, variables);
    const operands = new Set([...targets, ...operandsOf(expressions)]);
    const body = (active: number): Code => {
      const reads = (n: number): Code => readOf(loop, n, active);
      const { statements, results } = emission(this.#functions, variables, expressions, reads, active);
      return module.block(null, [
        ...loop.lookUp(operands, active),
        ...statements,
        ...stores(loop, results, active),
        ...loop.advance(active),
      ]);
    };
    const code = module.block(null, [
      ...loop.begin(),
      loop.whileFits("many", lanes.count, body(lanes.count)),
      loop.whileFits("one", 1, body(1)),
    ]);
    const parameters = binaryen.createType([binaryen.i32, binaryen.i32]);
    module.addFunction(label, parameters, binaryen.none, variables.types, code);
  }
}

const zero: Expression = { kind: "literal", value: 0 };

/** Reads are numbered: x, y, z, the value, its cotangent, the tangents of x, y, z. */
function readOf(loop: Loop, read: number, active: number): Code {
  if (read < 3) return loop.ofOperand("value", read, active);
  if (read > 4) return loop.ofOperand("cotangent", read - 5, active);
  return loop.own(read === 3 ? "value" : "cotangent", active);
}

/** Lists the operands whose values or tangents are read. */
function operandsOf(expressions: readonly Expression[]): readonly number[] {
  return expressions.flatMap((expression): readonly number[] => {
    if (expression.kind === "apply") return operandsOf(expression.operands);
    if (expression.kind === "literal" || expression.read === 3 || expression.read === 4) return [];
    return [expression.read % 5];
  });
}

/** Lists what a variant hands on, and to which operand. */
function contributionsOf({ name, receives, isFolded }: Variant): readonly Contribution[] {
  const pulled = name === undefined ? [] : scalarRules[name].pull(element, cotangent);
  const all = [0, 1, 2].flatMap((operand): Contribution[] => {
    const expression = (receives & (1 << operand)) === 0 ? undefined : pulled[operand];
    return expression === undefined ? [] : [{ operand, expression }];
  });
  const [first, second] = all;
  if (!isFolded || first === undefined || second === undefined) return all;
  return [{ operand: first.operand, expression: apply("add", first.expression, second.expression) }];
}

interface Contribution {
  readonly operand: number;
  readonly expression: Expression;
}
