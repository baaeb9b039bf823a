import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import type { Graph, Node, Tensor } from "../../../reference/index.ts";
import { at, floats } from "../../../reference/package.ts";
import { referenceConventions } from "../../../spec/contract/index.ts";
import {
  type CompositeName,
  type FlatTensor,
  formats,
  graph,
  type NodeId,
  nodeId,
  present,
} from "../../../spec/index.ts";
import { withChoices } from "../../case/choices.ts";
import type { Case, PrimitiveCase } from "../../case/index.ts";
import { type CaseProfile, caseAt, compositeProfile } from "../../generate/index.ts";
import { truthOf } from "../case_truth.ts";
import { judged } from "../erring.test.kit.ts";
import { type Standard, standardOf } from "../standard/standard.ts";

type Conventions = Standard["conventions"];

const maxima = ["first", "second", "split", "both", "neither"] as const;
const relus = ["zero", "half", "one"] as const;
const kinks = ["reference", "own"] as const;

const everyChoice: readonly Conventions[] = maxima.flatMap((maximumAtTie) =>
  relus.flatMap((reluAtZero) =>
    kinks.map((compositeKinks) => ({ ...referenceConventions, maximumAtTie, reluAtZero, compositeKinks })),
  ),
);

/** Composites in which an engine may have kinks of its own, and those that are written with them. */
const kinked: ReadonlySet<CompositeName> = new Set([
  "abs",
  "minimum",
  "clip",
  "leaky_relu",
  "elu",
  "max",
  "min",
  "sort",
  "max_pool",
]);

/** Returns a graph that answers as the conventions have it; `own` is what it does at kinks of composites. */
function following(
  { graph, insides }: PrimitiveCase,
  meaning: Graph<number>,
  conventions: Conventions,
  own: () => Conventions["maximumAtTie"],
): Graph<number> {
  const isOwn = (place: number): boolean =>
    conventions.compositeKinks === "own" &&
    (insides[place]?.applications ?? []).some(({ node }) => kinked.has(node.op));
  const nodes = meaning.nodes.map((node, place): Node<number> => {
    const { op, parents } = present(graph.nodes[place], "a node");
    return op === "less" && isOwn(place) && own() !== "first" ? lessOrEqual(node, parents) : node;
  });
  return withChoices(graph, { ...meaning, nodes }, (place) =>
    isOwn(place) ? { ...conventions, maximumAtTie: own() } : conventions,
  );
}

function lessOrEqual(node: Node<number>, parents: readonly NodeId[]): Node<number> {
  return {
    ...node,
    forward: (context) => {
      const [x, y] = parents.map((id) => present(context[id], "an operand"));
      return map2(present(x, "x"), present(y, "y"), (a, b) => (a <= b ? 1 : 0));
    },
  };
}

function map2(x: Tensor<number>, y: Tensor<number>, f: (a: number, b: number) => number): Tensor<number> {
  return { ...x, data: x.data.map((a, i) => f(a, at(y, i))) };
}

/** Everything that has a kink, or is written with something that has. */
const profile: CaseProfile = {
  ...compositeProfile,
  name: "kinks of composites",
  operators: [
    "constant",
    "negative",
    "add",
    "subtract",
    "maximum",
    "relu",
    "abs",
    "minimum",
    "clip",
    "copysign",
    "leaky_relu",
    "elu",
    "max",
    "min",
    "sort",
    "top_k",
    "max_pool",
    "huber",
    "softplus",
    "logaddexp",
    "sigmoid",
    "softmax",
    "logsumexp",
    "bce_with_logits",
  ],
};

/** Returns a case at numbers of which many are equal, and many 0. */
function tied(index: number): Case {
  const random = new Random(xoroshiro128plus(index));
  const whole = ({ shape, data }: FlatTensor): FlatTensor => ({
    shape,
    data: data.map(() => random.nextInt(-1, 1)),
  });
  const question = caseAt(profile, 41, index);
  const environment = new Map(
    question.graph.environment.map(({ name, kind }) => {
      const entry = present(question.point.environment.get(name), "an entry");
      return [name, kind === "real" ? whole(entry) : entry];
    }),
  );
  return { ...question, point: { inputs: question.point.inputs.map(whole), environment } };
}

/** Tells whether an engine that follows one choice and declares another is outside in one of these cases. */
function isOutside(follows: Conventions, declares: Conventions, cases: number, from: number): boolean {
  const standard = standardOf({ conventions: declares, accuracy: {} }, "float64");
  const random = new Random(xoroshiro128plus(from));
  const own = (): Conventions["maximumAtTie"] => maxima[random.nextInt(0, 2)] ?? "first";
  for (let index = from; index < from + cases; index++) {
    const engine = (expanded: PrimitiveCase, graph: Graph<number>): Graph<number> =>
      following(expanded, graph, follows, own);
    if (judged(tied(index), standard, floats.float64, engine).outside > 0) return true;
  }
  return false;
}

const named = (choice: Conventions): string =>
  `${choice.maximumAtTie}, ${choice.reluAtZero}, ${choice.compositeKinks}`;

describe("an engine that answers by the conventions that it declares", () => {
  test.each(
    everyChoice.map((choice, place) => ({ choice, place, label: named(choice) })),
  )("is never outside: $label", ({ choice, place }) => {
    expect(isOutside(choice, choice, 30, 30 * place)).toBe(false);
  });

  test.each(
    everyChoice
      .filter((choice) => named(choice) !== named(referenceConventions))
      .map((choice) => ({ choice, label: named(choice) })),
  )("is outside if it declares nothing: $label", ({ choice }) => {
    expect(isOutside(choice, referenceConventions, 100, 0)).toBe(true);
  });
});

describe("the tangent of a tie that is split", () => {
  const program = graph(({ input }) => {
    const x = input("x", []);
    x.maximum(input("y", [])).add(x.maximum(x.negative().negative()));
  });
  const [ofEqual, ofCopies] = [nodeId(2), nodeId(5)];
  const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });
  const said = (
    dtype: "float64" | "float32" | "posit16",
    conventions: Partial<Conventions>,
    u: number,
    answer: number,
  ): readonly string[] => {
    const question: Case = {
      graph: program,
      point: { inputs: [scalar(1), scalar(1)], environment: new Map() },
      tangents: [scalar(u), scalar(u)],
      seeds: [],
    };
    const declared = { conventions: { ...referenceConventions, ...conventions }, accuracy: {} };
    const truth = truthOf(question, standardOf(declared, dtype));
    return [ofEqual, ofCopies].map((id) => present(truth.tangent(id)[0], "a tangent").judge(answer));
  };
  const both = (judgement: string) => [judgement, judgement];

  test.each(["float64", "float32"] as const)("may be off by what both halves lose in %s", (dtype) => {
    const { smallest: least, round } = formats[dtype];
    // Half of 251 is 126 after rounding to even.
    const halves = 2 * round(0.5 * 251 * least);
    expect(halves).toBe(252 * least);
    expect(said(dtype, { maximumAtTie: "split" }, 251 * least, halves)).toEqual(both("within"));
    expect(said(dtype, { maximumAtTie: "split" }, 251 * least, 260 * least)).toEqual(both("outside"));
    expect(said(dtype, {}, 251 * least, halves)).toEqual(both("outside"));
  });

  test("is off by nothing where they are numbers of the format", () => {
    expect(said("float64", { maximumAtTie: "split" }, 251, 251)).toEqual(both("within"));
    expect(said("float64", { maximumAtTie: "split" }, 251, 251 + 2 ** -45)).toEqual(both("outside"));
  });

  test("may be off by the digits that halves of posits have less", () => {
    const { round } = formats.posit16;
    const u = present(
      Array.from({ length: 4096 }, (_, n) => round(1 / 1024 + n * 2 ** -20)).find(
        (x) => round(2 * round(x / 2)) !== x,
      ),
      "a posit whose half is none",
    );
    const halves = round(2 * round(u / 2));
    expect(said("posit16", { maximumAtTie: "split" }, u, halves)).toEqual(both("within"));
    expect(said("posit16", {}, u, halves)).toEqual(both("outside"));
    expect(said("posit16", { maximumAtTie: "split" }, u, 1.01 * u)).toEqual(both("outside"));
  });
});

/** Returns the derivative of an inner graph of one operator, twice, at numbers where it has a kink. */
function derivativeAtKink(op: "relu" | "maximum" | "abs"): Case {
  const whole = (...data: readonly number[]): FlatTensor => ({ shape: [2], data: Float64Array.from(data) });
  const inner = graph(({ input, apply }) => {
    const operands = op === "maximum" ? [input("x", [2]), input("y", [2])] : [input("x", [2])];
    return apply(op, {}, operands);
  });
  const count = inner.inputs.length;
  const once = { graph: inner, mode: "jvp", of: nodeId(count), wrt: nodeId(0) } as const;
  const program = graph(({ input, apply }) => {
    const operands = [...inner.inputs.map(({ name }) => input(name, [2])), input("along", [2])];
    return apply("differentiate", once, operands);
  });
  return {
    graph: program,
    point: { inputs: [...inner.inputs.map(() => whole(0, 1)), whole(3, 5)], environment: new Map() },
    tangents: program.inputs.map(() => whole(2, 7)),
    seeds: [{ id: nodeId(count + 1), cotangent: whole(11, 13) }],
  };
}

describe("at a kink of the operator that an inner graph differentiates, an engine that answers otherwise", () => {
  const declared = {
    relu: { reluAtZero: "one" },
    maximum: { maximumAtTie: "second" },
    abs: { compositeKinks: "own" },
  } as const;

  test.each(["relu", "maximum", "abs"] as const)("is right if it declares so, and else wrong: %s", (op) => {
    const outside = (conventions: Conventions): number => {
      const standard = standardOf({ conventions, accuracy: {} }, "float64");
      return judged(derivativeAtKink(op), standard, floats.float64, ({ graph: program }, meaning) => ({
        ...meaning,
        nodes: meaning.nodes.map((node, place) => {
          const { op: name, parents } = present(program.nodes[place], "a node");
          return name === "less" ? lessOrEqual(node, parents) : node;
        }),
      })).outside;
    };
    expect(outside({ ...referenceConventions, ...declared[op] })).toBe(0);
    expect(outside(referenceConventions)).toBeGreaterThan(0);
  });
});
