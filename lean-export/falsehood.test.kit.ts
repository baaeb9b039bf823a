import { solve } from "../oracle/index.ts";
import {
  type Context,
  modular,
  modulus,
  type Rational,
  rational,
  type Tensor,
  traceOf,
} from "../reference/package.ts";
import { type Algebra, checkGraph, expand, present, type Shape, shapesOf } from "../spec/index.ts";
import type { Arithmetic } from "./emit/arithmetic.ts";
import { boundsOf } from "./emit/bounds.ts";
import { engineClaims, traceClaims } from "./emit/claims.ts";
import { arithmeticIn } from "./exact.ts";
import type { SeenEngine, SeenSystem, SeenTrace } from "./run/seen.ts";
import { type ShownFile, shownIn, type Term } from "./shown_file.test.kit.ts";
import type { LeanVerdict } from "./verdict.ts";

type Accepted = LeanVerdict & { readonly kind: "accepted" };

/**
 * Says what is false about an accepted file; `undefined` if nothing is. The reference decides: the program
 * shown has, over the file's field, exactly the values and cotangents shown; the text says the same to a
 * reader; the claims are all those of such a trace; and an engine's numbers are of its format and within
 * their bounds, which are the derived ones.
 */
export function falsehoodIn(text: string, verdict: Accepted): string | undefined {
  const { statement, about } = verdict.seen;
  if (about.kind === "system") return metSystem(about.system);
  if (about.kind === "verdict") return "it judges answers, which no forgery does";
  const { trace } = about;
  const carrier = /^(?:And \()?Adjudge\.Program\.Runs (Int|Rat|Adjudge\.Residue) /.exec(statement)?.[1];
  if (carrier === undefined) return `it is said to prove ${statement}`;
  return carrier === "Adjudge.Residue"
    ? falsehoodOver(modular, text, trace, verdict)
    : falsehoodOver(rational, text, trace, verdict);
}

/** Equations that dimensions fit, though none are said to. */
function metSystem({ bases, equations }: SeenSystem): string | undefined {
  const unknowns = 1 + Math.max(bases, ...equations.flatMap((terms) => terms.map(({ id }) => id)));
  const solution = solve({
    bases,
    unknowns,
    equations: equations.map((terms) => ({
      terms: terms.map(({ id, times }) => [id, BigInt(times)] as const),
    })),
  });
  return solution.kind === "solved" ? "dimensions fit its equations" : undefined;
}

function falsehoodOver<S, B>(
  algebra: Algebra<S, B>,
  text: string,
  trace: SeenTrace,
  { claims }: Accepted,
): string | undefined {
  const untrue = falseRun(trace, algebra);
  if (untrue !== undefined) return untrue;
  const shown = shownIn(text);
  if (shown === undefined) return "its text is not what an exporter writes";
  const told = claims.map(({ name }) => name);
  return otherText(trace, shown, algebra) ?? otherClaims(trace, shown, told) ?? falseEngine(trace, shown);
}

/** Returns a number as the algebra writes it: any representative of a residue, any fraction. */
function canonical<S, B>(algebra: Algebra<S, B>, text: string): string {
  const isWhole = /^-?\d+$/.test(text);
  const reduced = algebra.name === "modular" && isWhole ? String(BigInt(text) % modulus) : text;
  const x = algebra.parse(reduced);
  const written = x === undefined ? "undefined" : algebra.format(x);
  return written === "undefined" ? `no number: ${text}` : written;
}

const rows = <S, B>(algebra: Algebra<S, B>, lists: readonly (readonly string[])[]): string =>
  JSON.stringify(lists.map((list) => list.map((text) => canonical(algebra, text))));

/** Evaluates what a verdict shows. Integers are evaluated as the rational numbers that they are. */
function falseRun<S, B>({ program, run }: SeenTrace, algebra: Algebra<S, B>): string | undefined {
  const built = graphOf(program);
  if (built === undefined) return "it has an operator that the reference lacks";
  const graph = checkGraph(built.graph);
  if (!graph.ok) return `its program is no graph: ${graph.error[0]?.message}`;
  if (new Set(run.seeds.map(({ id }) => id)).size !== run.seeds.length) return "an id is seeded twice";
  const texts = {
    inputs: run.inputs.map((list) => list.map((text) => canonical(algebra, text))),
    environment: new Map([
      ...run.environment.map(
        (list, entry) => [`e${entry}`, list.map((text) => canonical(algebra, text))] as const,
      ),
      ...built.indices,
    ]),
    seeds: new Map(run.seeds.map(({ id, numbers }) => [id, numbers.map((text) => canonical(algebra, text))])),
  };
  if (texts.inputs.length !== program.inputs.length) return "it has not as many inputs as are run";
  const trace = traceOf(graph.value, algebra, texts, "dense");
  if (!trace.ok) return `the reference does not run it: ${trace.error[0]?.message}`;
  const { values, cotangents } = trace.value;
  for (const [id, { shape }] of values.entries()) {
    const declared = program.nodes[id - program.inputs.length]?.shape ?? program.inputs[id];
    if (JSON.stringify(shape) !== JSON.stringify(declared)) return `the shape of ${id} is another`;
  }
  const own = (tensors: typeof values): string => JSON.stringify(tensors.map(({ data }) => data));
  if (own(values) !== rows(algebra, run.values))
    return `its values are ${own(values)}, not ${rows(algebra, run.values)}`;
  if (own(cotangents) !== rows(algebra, run.cotangents))
    return `its cotangents are ${own(cotangents)}, not ${rows(algebra, run.cotangents)}`;
  return undefined;
}

interface Built {
  readonly graph: unknown;
  readonly indices: ReadonlyMap<string, readonly string[]>;
}

/** Returns the graph of a program: every operator is one of the reference's. */
function graphOf({ inputs, environment, nodes }: SeenTrace["program"]): Built | undefined {
  const indices = new Map<string, readonly string[]>();
  const entries: unknown[] = environment.map((shape, entry) => ({ name: `e${entry}`, kind: "real", shape }));
  const own: unknown[] = [];
  const push = (op: string, attributes: unknown, parents: readonly number[]): void => {
    own.push({ op, attributes, parents });
  };
  const named = (numbers: readonly number[], shape: readonly number[]): string => {
    const name = `i${indices.size}`;
    indices.set(name, numbers.map(String));
    entries.push({ name, kind: "index", shape });
    return name;
  };
  for (const { operator, attributes, parents } of nodes) {
    const [first, second, third] = attributes;
    switch (operator) {
      case "constant":
        push("constant", { name: `e${first}` }, parents);
        break;
      case "sum":
        push("sum", { axes: numbersOf(first), keepdims: second }, parents);
        break;
      case "broadcast_to":
      case "reshape":
        push(operator, { shape: numbersOf(first) }, parents);
        break;
      case "permute_dims":
        push(operator, { axes: numbersOf(first) }, parents);
        break;
      case "concat":
      case "cumulative_sum":
        push(operator, { axis: Number(first) }, parents);
        break;
      case "take": {
        const list = numbersOf(second);
        push("take", { axis: Number(first), indices: named(list, [list.length]) }, parents);
        break;
      }
      case "slice": {
        const [starts, stops, steps] = attributes.map(numbersOf);
        push("slice", { starts, stops, steps }, parents);
        break;
      }
      case "pad": {
        const [low, high, interior] = attributes.map(numbersOf);
        push("pad", { low, high, interior }, parents);
        break;
      }
      case "take_along_axis": {
        const [entry, list] = [numbersOf(second), numbersOf(third)];
        push(operator, { axis: Number(first), indices: named(list, entry) }, parents);
        break;
      }
      case "gather":
      case "scatter_add":
        push(operator, { indices: named(numbersOf(second), numbersOf(first)) }, parents);
        break;
      case "iota":
        push(operator, { shape: numbersOf(first), axis: Number(second) }, parents);
        break;
      case "bernoulli_mask": {
        const [numerator, denominator] = attributes.slice(3).map(Number);
        const key = named([Number(second), Number(third)], [2]);
        const rate = (numerator ?? 0) / (denominator ?? 1);
        push(operator, { shape: numbersOf(first), key, rate }, parents);
        break;
      }
      case "add":
      case "subtract":
      case "negative":
      case "multiply":
      case "divide":
      case "stop_gradient":
      case "matmul":
      case "relu":
      case "floor":
      case "maximum":
      case "less":
      case "equal":
      case "where":
      case "det":
      case "solve":
        push(operator, {}, parents);
        break;
      default:
        return undefined;
    }
  }
  const named_ = inputs.map((shape, id) => ({ name: `x${id}`, shape }));
  const graph = { format: "adjudge.graph.v1", inputs: named_, environment: entries, nodes: own };
  return { graph, indices };
}

function numbersOf(attribute: unknown): readonly number[] {
  return Array.isArray(attribute) ? attribute.map(Number) : [];
}

/** Says what the text shows, if it is not what Lean has. */
function otherText<S, B>(
  { program, run }: SeenTrace,
  shown: ShownFile,
  algebra: Algebra<S, B>,
): string | undefined {
  const numbers = (term: Term | undefined): string =>
    JSON.stringify(term, (_, part) =>
      typeof part === "string" && /^-?\d/.test(part) ? canonical(algebra, part) : part,
    );
  const exact = (term: unknown): string =>
    JSON.stringify(term, (_, part) =>
      typeof part === "number" || typeof part === "boolean" ? String(part) : part,
    );
  const nodes = program.nodes.map(({ operator, attributes, parents, shape }) => [
    attributes.length === 0 ? [operator] : [operator, ...attributes],
    parents,
    shape,
  ]);
  const pairs: readonly (readonly [string, string, string])[] = [
    ["inputs", exact(program.inputs), exact(shown.program.inputs)],
    ["environment", exact(program.environment), exact(shown.program.environment)],
    ["nodes", exact(nodes), exact(shown.program.nodes)],
    ["inputs of the run", numbers(run.inputs), numbers(shown.run.inputs)],
    ["environment of the run", numbers(run.environment), numbers(shown.run.environment)],
    ["seeds", numbers(run.seeds.map(({ id, numbers: own }) => [String(id), own])), numbers(shown.run.seed)],
    ["values", numbers(run.values), numbers(shown.run.values)],
    ["cotangents", numbers(run.cotangents), numbers(shown.run.cotangents)],
  ];
  const other = pairs.find(([, seen, text]) => seen !== text);
  return other && `its text has the ${other[0]} ${other[2]}, Lean ${other[1]}`;
}

function otherClaims(trace: SeenTrace, { claims }: ShownFile, told: readonly string[]): string | undefined {
  const wanted = [...traceClaims(trace), ...(trace.engine === undefined ? [] : engineClaims(trace))];
  const names = wanted.map(({ name }) => name);
  if (claims.join(" ") !== told.join(" ")) return `it claims ${claims}, the verdict ${told}`;
  return told.join(" ") === names.join(" ") ? undefined : `it claims ${told}, not ${names}`;
}

/** Says what is false of an engine: its numbers as the text has them, their format, and their bounds. */
function falseEngine(trace: SeenTrace, { engine: text }: ShownFile): string | undefined {
  const { engine } = trace;
  if (engine === undefined) return undefined;
  const arithmetic = arithmeticIn(engine.arithmetic);
  if (arithmetic === undefined) return "its engine computes in no format";
  const parts = ["values", "cotangents", "valueBounds", "cotangentBounds"] as const;
  const other = parts.find((part) => rows(rational, engine[part]) !== rows(rational, listsIn(text?.[part])));
  if (other !== undefined) return `its text has other ${other} of the engine than Lean`;
  const foreign = [...engine.values, ...engine.cotangents].flat().find((one) => !isNumberOf(arithmetic, one));
  if (foreign !== undefined) return `its engine has ${foreign}, which is no ${arithmetic.name}`;
  return (
    farNumber("values", trace.run.values, engine.values, engine.valueBounds) ??
    farNumber("cotangents", trace.run.cotangents, engine.cotangents, engine.cotangentBounds) ??
    otherBounds(trace, engine, arithmetic)
  );
}

function listsIn(term: Term | undefined): readonly (readonly string[])[] {
  const list = (part: Term | undefined): readonly Term[] => (Array.isArray(part) ? part : []);
  return list(term).map((row) => list(row).map((one) => (typeof one === "string" ? one : "no number")));
}

function isNumberOf({ has }: Arithmetic, text: string): boolean {
  const x = rational.parse(text);
  return x !== undefined && has(x);
}

/** Says if a number is further from the true one than its bound. */
function farNumber(
  noun: string,
  truth: readonly (readonly string[])[],
  numbers: readonly (readonly string[])[],
  bounds: readonly (readonly string[])[],
): string | undefined {
  const far = truth.findIndex((list, id) =>
    list.some((text, at) => {
      const [x, y, e] = [text, numbers[id]?.[at] ?? "", bounds[id]?.[at] ?? ""].map(rational.parse);
      if (x === undefined || y === undefined || e === undefined) return true;
      const d = x.numerator * y.denominator - y.numerator * x.denominator;
      return (d < 0n ? -d : d) * e.denominator > e.numerator * x.denominator * y.denominator;
    }),
  );
  return far < 0 ? undefined : `its engine is far off at ${noun} of ${far}`;
}

/** Says if a bound is not the one that the exporter's own analysis derives. */
function otherBounds(
  { program, run }: SeenTrace,
  engine: SeenEngine,
  arithmetic: Arithmetic,
): string | undefined {
  const built = graphOf(program);
  const graph = checkGraph(built?.graph);
  if (built === undefined || !graph.ok) return undefined;
  const { graph: primitives } = expand(graph.value);
  const shapes = shapesOf(primitives);
  const tensor = (list: readonly string[] = [], shape: Shape = []): Tensor<Rational> => ({
    shape,
    data: list.map((text) => present(rational.parse(text), "a number")),
  });
  const derived = boundsOf(primitives, arithmetic, {
    environment: new Map(
      program.environment.map((shape, entry) => [
        `e${entry}`,
        { kind: "real", tensor: tensor(run.environment[entry], shape) },
      ]),
    ),
    seeds: new Map(run.seeds.map(({ id, numbers }) => [id, tensor(numbers, shapes[id])])),
    values: engine.values.map((list, id) => tensor(list, shapes[id])),
    cotangents: engine.cotangents.map((list, id) => tensor(list, shapes[id])),
  });
  if (!derived.ok) return "its engine has no bounds";
  const texts = (bounds: Context<Rational>): string =>
    rows(
      rational,
      bounds.map(({ data }) => data.map(rational.format)),
    );
  const isDerived =
    texts(derived.value.values) === rows(rational, engine.valueBounds) &&
    texts(derived.value.cotangents) === rows(rational, engine.cotangentBounds);
  return isDerived ? undefined : "its engine's bounds are not the derived ones";
}
