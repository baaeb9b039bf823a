import { type OperatorName, operatorNames } from "../../spec/composites/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Node, NodeOf } from "../../spec/graph/index.ts";
import { present, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type Case, valuesOf } from "../case/index.ts";
import { type Meeting, meetings } from "./meetings.ts";

/** Recognisers read these facts of a case. Lists have one entry for each id unless they say otherwise. */
interface Facts extends Meeting {
  /** Each entry counts the nodes that read the id. */
  readonly readers: readonly number[];
  /** Each entry counts the nodes on the longest path down to the id, itself included. */
  readonly depths: readonly number[];
  /** Each entry is a bit set of the ids that the id depends on, itself included. */
  readonly cones: readonly bigint[];
  /** This bit set holds all ids that some seed depends on. */
  readonly seeded: bigint;
}

function readersOf({ nodes }: Case["graph"], count: number): readonly number[] {
  const readers = new Array<number>(count).fill(0);
  for (const { parents } of nodes) {
    for (const id of new Set(parents)) readers[id] = (readers[id] ?? 0) + 1;
  }
  return readers;
}

function factsOf(question: Case): Facts {
  const { inputs, nodes } = question.graph;
  const inputCount = inputs.length;
  const depths = inputs.map(() => 0);
  const cones = inputs.map((_, id) => 1n << BigInt(id));
  for (const { parents } of nodes) {
    const self = 1n << BigInt(cones.length);
    depths.push(1 + parents.reduce((deepest, id) => Math.max(deepest, depths[id] ?? 0), 0));
    cones.push(parents.reduce((cone, id) => cone | (cones[id] ?? 0n), self));
  }
  return {
    question,
    inputCount,
    nodes,
    shapes: shapesOf(question.graph),
    values: valuesOf(question),
    readers: readersOf(question.graph, cones.length),
    depths,
    cones,
    seeded: question.seeds.reduce((all, { id }) => all | (cones[id] ?? 0n), 0n),
  };
}

function isNode<K extends OperatorName>(op: K): (node: Node) => node is Node & NodeOf<K> {
  return (node): node is Node & NodeOf<K> => node.op === op;
}

/** Returns the elements of a node's operand. */
function operand({ values }: Facts, node: Node, place: number): Float64Array {
  return present(values[node.parents[place] ?? 0], "value of an operand").data;
}

function operandShape({ shapes }: Facts, node: Node): Shape {
  return shapes[node.parents[0] ?? 0] ?? [];
}

/** Tells whether two operands of a node depend on a common id, so that paths part there and meet here. */
function closesDiamond({ cones }: Facts, { parents }: Node): boolean {
  const distinct = [...new Set(parents)].map((id) => cones[id] ?? 0n);
  return distinct.some((cone, i) => distinct.slice(i + 1).some((other) => (cone & other) !== 0n));
}

function hasSumWith({ nodes }: Facts, keepdims: boolean): boolean {
  return nodes
    .filter(isNode("sum"))
    .some(({ attributes }) => attributes.axes.length > 0 && attributes.keepdims === keepdims);
}

function hasInput({ question }: Facts, holds: (element: number) => boolean): boolean {
  return question.point.inputs.some(({ data }) => data.some(holds));
}

function hasCotangent({ question: { seeds } }: Facts, holds: (element: number) => boolean): boolean {
  return seeds.some(({ cotangent: { data } }) => data.some(holds));
}

function hasRank({ shapes }: Facts, rank: number): boolean {
  return shapes.some(({ length }) => length === rank);
}

/** Tells whether windows lie along `count` axes. */
function hasWindows({ nodes }: Facts, count: number): boolean {
  return nodes.some(
    (node) =>
      (node.op === "conv" ||
        node.op === "conv_transpose" ||
        node.op === "max_pool" ||
        node.op === "avg_pool") &&
      node.attributes.strides.length === count,
  );
}

/** Lists the conditions of all `where` nodes, element by element. */
function conditions(facts: Facts): number[] {
  return facts.nodes.filter(isNode("where")).flatMap((node) => [...operand(facts, node, 0)]);
}

const ofCases = {
  /** Two nodes or more read one id. */
  "fan-out": ({ readers }: Facts): boolean => readers.some((count) => count >= 2),
  diamond: (facts: Facts): boolean => facts.nodes.some((node) => closesDiamond(facts, node)),
  "same operand twice": ({ nodes }: Facts): boolean =>
    nodes.some(({ parents }) => new Set(parents).size < parents.length),
  "unused input": ({ readers, inputCount }: Facts): boolean => readers.slice(0, inputCount).includes(0),
  /** No seed depends on some node. */
  "unused node": ({ nodes, inputCount, seeded }: Facts): boolean =>
    nodes.some((_, i) => (seeded & (1n << BigInt(inputCount + i))) === 0n),
  "every sink seeded": ({ question, readers, inputCount }: Facts): boolean => {
    const seeded = new Set<number>(question.seeds.map(({ id }) => id));
    return readers.every((count, id) => count > 0 || id < inputCount || seeded.has(id));
  },
  /** A seed lies on a node that others read. */
  "seed in between": ({ question, inputCount, readers }: Facts): boolean =>
    question.seeds.some(({ id }) => id >= inputCount && (readers[id] ?? 0) > 0),
  "seed on an input": ({ question, inputCount }: Facts): boolean =>
    question.seeds.some(({ id }) => id < inputCount),
  "several outputs": ({ question }: Facts): boolean => question.seeds.length >= 2,
  "zero cotangent": ({ question }: Facts): boolean =>
    question.seeds.some(({ cotangent }) => cotangent.data.includes(0)),
  "zero size": ({ shapes }: Facts): boolean => shapes.some((shape) => sizeOf(shape) === 0),
  scalar: ({ shapes }: Facts): boolean => shapes.some((shape) => shape.length === 0),
  "rank 4": (facts: Facts): boolean => hasRank(facts, 4),
  "rank 5": (facts: Facts): boolean => hasRank(facts, 5),
  "rank 6": (facts: Facts): boolean => hasRank(facts, 6),
  "windows along 2 axes": (facts: Facts): boolean => hasWindows(facts, 2),
  "windows along 3 axes": (facts: Facts): boolean => hasWindows(facts, 3),
  /** An axis has a thousand elements or more. */
  "long axis": ({ shapes }: Facts): boolean => shapes.some((shape) => shape.some((extent) => extent >= 1000)),
  "11 inputs and more": ({ inputCount }: Facts): boolean => inputCount >= 11,
  "concat of 5 and more": ({ nodes }: Facts): boolean =>
    nodes.some(({ op, parents }) => op === "concat" && parents.length >= 5),
  "depth ≥ 5": ({ depths }: Facts): boolean => Math.max(...depths) >= 5,
  "depth ≥ 10": ({ depths }: Facts): boolean => Math.max(...depths) >= 10,
  "depth ≥ 100": ({ depths }: Facts): boolean => Math.max(...depths) >= 100,
  "depth > 256": ({ depths }: Facts): boolean => Math.max(...depths) > 256,
  "repeated take index": ({ nodes, question }: Facts): boolean =>
    nodes.filter(isNode("take")).some(({ attributes }) => {
      const data = present(question.point.environment.get(attributes.indices), "indices").data;
      return new Set(data).size < data.length;
    }),
  /** A gather or scatter_add reads one row of indices twice. */
  "repeated row": ({ nodes, question }: Facts): boolean =>
    nodes.some((node) => {
      if (node.op !== "gather" && node.op !== "scatter_add") return false;
      const { shape, data } = present(question.point.environment.get(node.attributes.indices), "rows");
      const depth = present(shape.at(-1), "depth of rows");
      const rows = Array.from({ length: data.length / depth }, (_, i) =>
        data.subarray(i * depth, (i + 1) * depth).join(),
      );
      return new Set(rows).size < rows.length;
    }),
  "negative step": ({ nodes }: Facts): boolean =>
    nodes.filter(isNode("slice")).some(({ attributes }) => attributes.steps.some((step) => step < 0)),
  "padding in between": ({ nodes }: Facts): boolean =>
    nodes.filter(isNode("pad")).some(({ attributes }) => attributes.interior.some((count) => count > 0)),
  "constant read twice": ({ nodes }: Facts): boolean => {
    const names = nodes.filter(isNode("constant")).map(({ attributes }) => attributes.name);
    return new Set(names).size < names.length;
  },
  "broadcast along an axis": (facts: Facts): boolean =>
    facts.nodes.filter(isNode("broadcast_to")).some((node) => {
      const x = operandShape(facts, node);
      const lead = node.attributes.shape.length - x.length;
      return x.some((extent, axis) => extent !== node.attributes.shape[axis + lead]);
    }),
  "broadcast by new axes": (facts: Facts): boolean =>
    facts.nodes
      .filter(isNode("broadcast_to"))
      .some((node) => operandShape(facts, node).length < node.attributes.shape.length),
  "sum keeps axes": (facts: Facts): boolean => hasSumWith(facts, true),
  "sum drops axes": (facts: Facts): boolean => hasSumWith(facts, false),
  "tie at maximum": (facts: Facts): boolean =>
    facts.nodes.filter(isNode("maximum")).some((node) => {
      const y = operand(facts, node, 1);
      return node.parents[0] !== node.parents[1] && operand(facts, node, 0).some((x, i) => x === y[i]);
    }),
  "relu at zero": (facts: Facts): boolean =>
    facts.nodes.filter(isNode("relu")).some((node) => operand(facts, node, 0).includes(0)),
  "where takes both": (facts: Facts): boolean => {
    const taken = conditions(facts);
    return taken.includes(0) && taken.some((condition) => condition !== 0);
  },
  "where takes the second": (facts: Facts): boolean => conditions(facts).includes(0),
  "zero input": (facts: Facts): boolean => hasInput(facts, (element) => element === 0),
  "−0 input": (facts: Facts): boolean => hasInput(facts, (element) => Object.is(element, -0)),
  "negative input": (facts: Facts): boolean => hasInput(facts, (element) => element < 0),
  "equal inputs": ({ question }: Facts): boolean => {
    const elements = question.point.inputs.flatMap(({ data }) => [...data]);
    return new Set(elements).size < elements.length;
  },
  "twin inputs": ({ question }: Facts): boolean => {
    const points = question.point.inputs.map(({ shape, data }) => `${shape}: ${data}`);
    return new Set(points).size < points.length;
  },
  "value not finite": ({ values }: Facts): boolean =>
    values.some(({ data }) => data.some((element) => !Number.isFinite(element))),
  "huge cotangent": (facts: Facts): boolean =>
    hasCotangent(facts, (c) => Number.isFinite(c) && Math.abs(c) > 1e100),
  "tiny cotangent": (facts: Facts): boolean => hasCotangent(facts, (c) => c !== 0 && Math.abs(c) < 1e-100),
  "cotangent not finite": (facts: Facts): boolean => hasCotangent(facts, (c) => !Number.isFinite(c)),
  "equal cotangents": ({ question: { seeds } }: Facts): boolean =>
    seeds.some(({ cotangent: { data } }) => data.length > 1 && data.every((c) => c === data[0])),
  "huge tangent": ({ question: { tangents } }: Facts): boolean =>
    tangents.some(({ data }) => data.some((t) => Number.isFinite(t) && Math.abs(t) > 1e50)),
};

/** A structure is one that engines are known to get wrong, or that a law needs to be seen. */
export type StructureName = keyof typeof ofCases | keyof typeof meetings;

const recognisers: Readonly<Record<StructureName, (facts: Facts) => boolean>> = { ...ofCases, ...meetings };

/** A census counts what a list of cases contains. */
export interface Census {
  readonly cases: number;
  readonly nodes: number;
  /** Each structure is mapped to the number of cases it occurs in. */
  readonly structures: ReadonlyMap<StructureName, number>;
  /** Each operator is mapped to the number of its nodes. */
  readonly operators: ReadonlyMap<OperatorName, number>;
}

function isStructureName(name: string): name is StructureName {
  return Object.hasOwn(recognisers, name);
}

/** Lists every structure that is counted. */
export const structureNames: readonly StructureName[] = Object.keys(recognisers).filter(isStructureName);

/** Finds the structures that occur in a case. */
export function structuresIn(question: Case): readonly StructureName[] {
  const facts = factsOf(question);
  return structureNames.filter((name) => recognisers[name](facts));
}

/** Counts what occurs in `questions`: the evidence that a campaign looks where the faults are. */
export function census(questions: Iterable<Case>): Census {
  const structures = new Map(structureNames.map((name) => [name, 0]));
  const operators = new Map(operatorNames.map((name) => [name, 0]));
  let [cases, nodes] = [0, 0];
  for (const question of questions) {
    cases += 1;
    nodes += question.graph.nodes.length;
    for (const { op } of question.graph.nodes) operators.set(op, (operators.get(op) ?? 0) + 1);
    for (const name of structuresIn(question)) structures.set(name, (structures.get(name) ?? 0) + 1);
  }
  return { cases, nodes, structures, operators };
}
