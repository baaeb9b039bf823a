import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { referenceConventions } from "../../engines/index.ts";
import { at, floats, type Graph, type Node, type Tensor } from "../../reference/index.ts";
import { type CompositeName, type FlatTensor, type NodeId, present } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import type { PrimitiveCase } from "../expansion.ts";
import { type CaseProfile, caseAt, compositeProfile } from "../generate/index.ts";
import { judged } from "./erring.test.kit.ts";
import { type Standard, standardOf } from "./standard.ts";

type Conventions = Standard["conventions"];

const maxima = ["first", "second", "split", "both", "neither"] as const;
const relus = ["zero", "half", "one"] as const;
const kinks = ["reference", "own"] as const;

const everyChoice: readonly Conventions[] = maxima.flatMap((maximumAtTie) =>
  relus.flatMap((reluAtZero) =>
    kinks.map((compositeKinks) => ({ ...referenceConventions, maximumAtTie, reluAtZero, compositeKinks })),
  ),
);

/** What each operand of `maximum` gets of a cotangent where they are equal. */
const shares: { readonly [C in Conventions["maximumAtTie"]]: readonly [number, number] } = {
  first: [1, 0],
  second: [0, 1],
  split: [0.5, 0.5],
  both: [1, 1],
  neither: [0, 0],
};

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

/** A graph that answers as the conventions have it; `own` is what it does at the kinks of composites, if it has its own. */
function following(
  { graph, insides }: PrimitiveCase,
  meaning: Graph<number>,
  { maximumAtTie, reluAtZero, compositeKinks }: Conventions,
  own: () => Conventions["maximumAtTie"],
): Graph<number> {
  const nodes = meaning.nodes.map((node, index): Node<number> => {
    const { op, parents } = present(graph.nodes[index], "a node");
    const isOwn =
      compositeKinks === "own" &&
      (insides[index]?.applications ?? []).some((application) => kinked.has(application.node.op));
    if (op === "less" && isOwn) return own() === "first" ? node : lessOrEqual(node, parents);
    if (op === "maximum") return withMaximum(node, parents, shares[isOwn ? own() : maximumAtTie]);
    return op === "relu" ? withRelu(node, parents, { zero: 0, half: 0.5, one: 1 }[reluAtZero]) : node;
  });
  return { ...meaning, nodes };
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

function withMaximum(
  node: Node<number>,
  parents: readonly NodeId[],
  [first, second]: readonly [number, number],
): Node<number> {
  const [left, right] = [present(parents[0], "x"), present(parents[1], "y")];
  return {
    ...node,
    jvp: (context, tangents) => {
      const [x, y] = [present(context[left], "x"), present(context[right], "y")];
      const [xDot, yDot] = [present(tangents[left], "a tangent"), present(tangents[right], "a tangent")];
      return map2(x, y, (a, b, i) => {
        const [u, v] = [at(xDot, i), at(yDot, i)];
        return a === b ? first * u + second * v : a > b ? u : v;
      });
    },
    vjp: (context, _environment, c) => {
      const [x, y] = [present(context[left], "x"), present(context[right], "y")];
      const xBar = map2(x, y, (a, b, i) => (a === b ? first : a > b ? 1 : 0) * at(c, i));
      const yBar = map2(x, y, (a, b, i) => (a === b ? second : a > b ? 0 : 1) * at(c, i));
      if (left === right) return new Map([[left, map2(xBar, yBar, (a, b) => a + b)]]);
      return new Map([
        [left, xBar],
        [right, yBar],
      ]);
    },
  };
}

function withRelu(node: Node<number>, parents: readonly NodeId[], slope: number): Node<number> {
  const id = present(parents[0], "an operand");
  const slopes = (x: Tensor<number>, c: Tensor<number>): Tensor<number> =>
    map2(x, c, (a, b) => (a === 0 ? slope : a > 0 ? 1 : 0) * b);
  return {
    ...node,
    jvp: (context, tangents) => slopes(present(context[id], "x"), present(tangents[id], "a tangent")),
    vjp: (context, _environment, c) => new Map([[id, slopes(present(context[id], "x"), c)]]),
  };
}

function map2(
  x: Tensor<number>,
  y: Tensor<number>,
  f: (a: number, b: number, position: number) => number,
): Tensor<number> {
  return { ...x, data: x.data.map((a, i) => f(a, at(y, i), i)) };
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

/** A case at numbers of which many are equal, and many 0. */
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

/** Whether an engine that follows one choice and declares another is outside in one of so many cases. */
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
