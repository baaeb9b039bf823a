import { type Rational, rational, rationalFromNumber } from "../../reference/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { fail, type Issue, ok, present, type Result, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTrace, Numbers } from "./flat.ts";
import type { TraceNumbers } from "./numbers.ts";
import type { Instruction, LeanOperator } from "./operator.ts";
import type { CheckedTrace } from "./read.ts";
import type { Scalars } from "./scalars.ts";
import type { Translation } from "./translate.ts";

interface Entry {
  readonly shape: Shape;
  readonly numbers: Numbers;
}

/**
 * Puts instructions and numbers together. Fails: `lean/number` if an attribute is no number of the algebra.
 */
export function assemble(
  trace: CheckedTrace,
  scalars: Scalars,
  numbers: TraceNumbers,
  translations: readonly Translation[],
): Result<FlatTrace, Issue[]> {
  const { graph } = trace;
  const shapes = shapesOf(graph);
  const entries = realEntries(trace, numbers);
  const entryIds = new Map([...numbers.environment.keys()].map((name, id) => [name, id]));
  const nodes: Instruction[] = [];
  for (const [index, translation] of translations.entries()) {
    const id = graph.inputs.length + index;
    const { parents } = present(graph.nodes[index], "a node");
    const literals =
      translation.kind === "literals" ? literalsOf(scalars, translation.numbers, index) : ok([]);
    if (!literals.ok) return literals;
    const exact = translation.kind === "literals" ? exactly(translation, literals.value) : undefined;
    if (translation.kind === "literals" && exact === undefined)
      entries.push({ shape: present(shapes[id], "a node's shape"), numbers: literals.value });
    const operator = exact ?? operatorOf(translation, entryIds, entries.length - 1);
    nodes.push({ operator, parents, shape: present(trace.values[id], "a value").shape });
  }
  const { inputs, values, cotangents, seeds } = numbers;
  return ok({
    scalars,
    program: {
      inputs: graph.inputs.map(({ shape }) => shape),
      environment: entries.map(({ shape }) => shape),
      nodes,
    },
    run: {
      inputs,
      environment: entries.map((entry) => entry.numbers),
      seed: shapes.map((shape, id) => seeds.get(id) ?? zeros(shape)),
      values,
      cotangents,
    },
  });
}

function zeros(shape: Shape): Numbers {
  return new Array<Rational>(sizeOf(shape)).fill(rational.additive.zero);
}

/** Returns the operator whose numbers these are; `undefined` where the algebra rounds one of them. */
function exactly(
  { numbers, exact }: Translation & { readonly kind: "literals" },
  literals: Numbers,
): LeanOperator | undefined {
  const isExact = (x: Rational, position: number): boolean =>
    rational.isSame(x, rationalFromNumber(present(numbers[position], "a number")));
  return literals.every(isExact) ? exact : undefined;
}

function realEntries({ graph }: CheckedTrace, { environment }: TraceNumbers): Entry[] {
  return graph.environment.flatMap(({ name, shape }) => {
    const numbers = environment.get(name);
    return numbers === undefined ? [] : [{ shape, numbers }];
  });
}

function literalsOf(scalars: Scalars, numbers: readonly number[], index: number): Result<Numbers, Issue[]> {
  const literals = numbers.flatMap((x) => scalars.literal(x) ?? []);
  if (literals.length === numbers.length) return ok(literals);
  return fail([
    {
      code: "lean/number",
      pointer: `/graph/nodes/${index}/attributes`,
      message: `the attributes stand for no number of the ${scalars.name} algebra.`,
      hint: "record the trace over the rationals",
    },
  ]);
}

function operatorOf(
  translation: Translation,
  entryIds: ReadonlyMap<string, number>,
  lastEntry: number,
): LeanOperator {
  switch (translation.kind) {
    case "operator":
      return translation.operator;
    case "entry":
      return { kind: "constant", entry: present(entryIds.get(translation.name), "an entry of Δ") };
    case "literals":
      return { kind: "constant", entry: lastEntry };
  }
}
