import type { Case } from "../../oracle/case/case.ts";
import { valuesOf } from "../../oracle/case/index.ts";
import { attributeCorners, attributeCornersIn } from "../../oracle/generate/attributes_census.ts";
import { structureNames, structuresIn } from "../../oracle/generate/census.ts";
import { pairsIn, readablePairs } from "../../oracle/generate/pair_census.ts";
import { isWithin, readsOf } from "../../oracle/generate/ranks.ts";
import {
  type FlatTensor,
  type NodeId,
  type OperatorName,
  operatorNames,
  operators,
  present,
  type Shape,
  shapesOf,
  sizeOf,
} from "../../spec/index.ts";

/** What cases are classified by: all classes there are, and those of a case. */
interface Family {
  readonly all: readonly string[];
  in(question: Case): Iterable<string>;
}

/** Classifies numbers; a number may belong to several classes. */
const numbers: Readonly<Record<string, (x: number) => boolean>> = {
  "0": (x) => Object.is(x, 0),
  "−0": (x) => Object.is(x, -0),
  "1": (x) => x === 1,
  "∞": (x) => x === Number.POSITIVE_INFINITY,
  "−∞": (x) => x === Number.NEGATIVE_INFINITY,
  NaN: (x) => Number.isNaN(x),
  subnormal: (x) => x !== 0 && Math.abs(x) < 2 ** -1022,
  "below 1e-100": (x) => x !== 0 && Math.abs(x) < 1e-100,
  "below −40": (x) => x < -40 && x >= -1e100,
  "above 2^31": (x) => x > 2 ** 31 && x <= 1e100,
  "above 1e100": (x) => Math.abs(x) > 1e100 && Math.abs(x) < Number.POSITIVE_INFINITY,
};

/** Lists the classes of the elements of some tensors. */
function numbersIn(tensors: readonly FlatTensor[]): readonly string[] {
  return Object.entries(numbers).flatMap(([name, holds]) =>
    tensors.some(({ data }) => data.some(holds)) ? [name] : [],
  );
}

/** Classifies a count of elements: each class reaches to the named one. */
const sizes = ["0", "1", "16", "256", "1024", "more"] as const;

function sizeClass(elements: number): string {
  return sizes.find((size) => size === "more" || elements <= Number(size)) ?? "more";
}

/** These operators have operands. */
const readers: readonly OperatorName[] = operatorNames.filter((op) => operators[op].arity !== 0);

/** The shapes and values of a case, with an entry for each id. */
interface Run {
  readonly shapes: readonly Shape[];
  readonly values: readonly FlatTensor[];
}

function runOf(question: Case): Run {
  return { shapes: shapesOf(question.graph), values: valuesOf(question) };
}

/** Classifies each node of a case that has operands. */
function byNode(
  classesOf: (run: Run, operands: readonly NodeId[]) => readonly string[],
): (question: Case) => readonly string[] {
  return (question) => {
    const run = runOf(question);
    return question.graph.nodes.flatMap(({ op, parents }) =>
      parents.length === 0 ? [] : classesOf(run, parents).map((name) => `${op}: ${name}`),
    );
  };
}

function named(names: readonly string[]): readonly string[] {
  return readers.flatMap((op) => names.map((name) => `${op}: ${name}`));
}

const ranks = Array.from({ length: 9 }, (_, rank) => rank);

const tensorsOf = (tensors: readonly FlatTensor[]): readonly string[] => {
  const alike = tensors.some(({ data }) => data.length > 1 && data.every((x) => x === data[0]));
  return alike ? [...numbersIn(tensors), "equal"] : numbersIn(tensors);
};

/** A derivative reads and gives what its inner graph does, so its pairs are not counted. */
const pairs: ReadonlySet<string> = new Set(readablePairs());

/** Everything that cases are classified by. */
export const families: ReadonlyMap<string, Family> = new Map<string, Family>([
  ["operators", { all: operatorNames, in: ({ graph }) => graph.nodes.map(({ op }) => op) }],
  ["attributes", { all: attributeCorners, in: attributeCornersIn }],
  ["structures", { all: structureNames, in: structuresIn }],
  [
    "ranks of an operand",
    {
      all: readers.flatMap((op) =>
        ranks.filter((rank) => isWithin(readsOf(op), rank)).map((rank) => `${op}: ${rank}`),
      ),
      in: byNode(({ shapes }, parents) => parents.map((id) => `${shapes[id]?.length}`)),
    },
  ],
  [
    "elements of the largest operand",
    {
      all: named(sizes),
      in: byNode(({ shapes }, parents) => [
        sizeClass(Math.max(...parents.map((id) => sizeOf(shapes[id] ?? [])))),
      ]),
    },
  ],
  [
    "numbers in an operand",
    {
      all: named(Object.keys(numbers)),
      in: byNode(({ values }, parents) => numbersIn(parents.map((id) => present(values[id], "a value")))),
    },
  ],
  [
    "cotangents",
    {
      all: [...Object.keys(numbers), "equal"],
      in: ({ seeds }) => tensorsOf(seeds.map(({ cotangent }) => cotangent)),
    },
  ],
  ["tangents", { all: [...Object.keys(numbers), "equal"], in: ({ tangents }) => tensorsOf(tangents) }],
  ["pairs", { all: [...pairs], in: (question) => pairsIn(question).filter((pair) => pairs.has(pair)) }],
]);
