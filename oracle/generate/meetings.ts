import type { OperatorName } from "../../spec/composites/index.ts";
import type { Node } from "../../spec/graph/index.ts";
import { isSameShape, type NodeId, present, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";

/** These facts of a case tell which nodes meet; lists have an entry for each id unless they say otherwise. */
export interface Meeting {
  readonly question: Case;
  readonly nodes: readonly Node[];
  readonly inputCount: number;
  readonly shapes: readonly Shape[];
  readonly values: readonly FlatTensor[];
}

const products: readonly OperatorName[] = ["matmul", "multiply", "einsum", "vecdot", "outer", "square"];
const parts: readonly OperatorName[] = ["slice", "split", "take", "gather", "diagonal"];
const reductions: readonly OperatorName[] = [
  ...(["sum", "mean", "prod", "max", "min", "var", "logsumexp", "norm", "argmax"] as const),
];

/** Returns the node that computes an id, or `undefined` for an input. */
function nodeAt({ nodes, inputCount }: Meeting, id: NodeId | undefined): Node | undefined {
  return id === undefined ? undefined : nodes[id - inputCount];
}

function shapeAt({ shapes }: Meeting, id: NodeId | undefined): Shape {
  return (id === undefined ? undefined : shapes[id]) ?? [];
}

/** Tells whether some node of these operators has a first operand that one of others computes. */
function hasRead(meeting: Meeting, readers: readonly OperatorName[], read: readonly OperatorName[]): boolean {
  return meeting.nodes.some(
    ({ op, parents: [x] }) => readers.includes(op) && read.includes(nodeAt(meeting, x)?.op ?? "constant"),
  );
}

/** Tells whether the node reduces all axes of an operand that has some. */
function reducesAll(meeting: Meeting, { op, attributes, parents }: Node): boolean {
  const { length } = shapeAt(meeting, parents[0]);
  const axes = "axes" in attributes && reductions.includes(op) ? attributes.axes : undefined;
  return length > 0 && axes?.length === length;
}

/** Returns the operand that a node moves elements of, if it computes part of it. */
function wholeOf(meeting: Meeting, id: NodeId): NodeId | undefined {
  const node = nodeAt(meeting, id);
  return node !== undefined && parts.includes(node.op) ? node.parents[0] : undefined;
}

/** Tells whether the axes of a permutation are out of order. */
function permutes(node: Node | undefined): boolean {
  return node?.op === "permute_dims" && node.attributes.axes.some((axis, place) => axis !== place);
}

/** Tells whether two rows of a tensor, along its first axis, have the same elements. */
function hasEqualRows({ shape: [count = 0], data }: FlatTensor): boolean {
  const rows = Array.from({ length: count }, (_, row) =>
    data.subarray((row * data.length) / count, ((row + 1) * data.length) / count).join(),
  );
  return new Set(rows).size < rows.length && data.length > 0;
}

function hasRepeatedLetter(operand: string): boolean {
  return new Set(operand).size < operand.length;
}

/** Recognises what compilers fuse, where real engines have gone wrong. */
export const meetings = {
  "all axes reduced": (meeting: Meeting): boolean => meeting.nodes.some((node) => reducesAll(meeting, node)),
  "product reduced over all axes": (meeting: Meeting): boolean =>
    meeting.nodes.some(
      (node) =>
        reducesAll(meeting, node) && products.includes(nodeAt(meeting, node.parents[0])?.op ?? "constant"),
    ),
  /** Two operands are parts of one value. */
  "parts of one value": (meeting: Meeting): boolean =>
    meeting.nodes.some(({ parents: [x, y] }) => {
      if (x === undefined || y === undefined || x === y) return false;
      const whole = wholeOf(meeting, x);
      return whole !== undefined && whole === wholeOf(meeting, y);
    }),
  "scatter of a broadcast": (meeting: Meeting): boolean =>
    meeting.nodes.some(
      ({ op, parents }) =>
        op === "scatter_add" && ["broadcast_to", "full"].includes(nodeAt(meeting, parents[1])?.op ?? ""),
    ),
  "equal updates": (meeting: Meeting): boolean =>
    meeting.nodes.some(
      ({ op, parents: [, updates] }) =>
        op === "scatter_add" && hasEqualRows(present(meeting.values[updates ?? 0], "updates")),
    ),
  "reduction of a permutation": (meeting: Meeting): boolean =>
    meeting.nodes.some(({ op, parents }) => reductions.includes(op) && permutes(nodeAt(meeting, parents[0]))),
  "reduction of a reshape": (meeting: Meeting): boolean => hasRead(meeting, reductions, ["reshape"]),
  "permutation of a permutation": (meeting: Meeting): boolean =>
    meeting.nodes.some((node) => permutes(node) && permutes(nodeAt(meeting, node.parents[0]))),
  "slice of a slice": (meeting: Meeting): boolean => hasRead(meeting, ["slice"], ["slice"]),
  "diagonal of four axes": ({ nodes }: Meeting): boolean =>
    nodes.some(
      (node) =>
        node.op === "einsum" &&
        (node.attributes.equation.split("->")[0] ?? "")
          .split(",")
          .some((operand) => operand.length >= 4 && hasRepeatedLetter(operand)),
    ),
  /** One operand is a constant, another no constant. */
  "constant operand": (meeting: Meeting): boolean =>
    meeting.nodes.some(({ parents }) => {
      const isConstant = (id: NodeId): boolean => nodeAt(meeting, id)?.op === "constant";
      return parents.some(isConstant) && !parents.every(isConstant);
    }),
  /** One operand is filled with 0 or 1. */
  "neutral operand": (meeting: Meeting): boolean =>
    meeting.nodes.some(({ parents }) =>
      parents.some((id) => {
        const node = nodeAt(meeting, id);
        return node?.op === "full" && (node.attributes.value === 0 || node.attributes.value === 1);
      }),
    ),
  "rank 7 and more": ({ shapes }: Meeting): boolean => shapes.some(({ length }) => length >= 7),
  "17 inputs and more": ({ inputCount }: Meeting): boolean => inputCount >= 17,
  "17 operands and more": ({ nodes }: Meeting): boolean => nodes.some(({ parents }) => parents.length >= 17),
  "over 256 elements": ({ shapes }: Meeting): boolean => shapes.some((shape) => sizeOf(shape) > 256),
  "over 1024 elements": ({ shapes }: Meeting): boolean => shapes.some((shape) => sizeOf(shape) > 1024),
  "over 4096 elements": ({ shapes }: Meeting): boolean => shapes.some((shape) => sizeOf(shape) > 4096),
  "inner axis over 32": (meeting: Meeting): boolean =>
    meeting.nodes.some(({ op, parents: [x] }) => op === "matmul" && (shapeAt(meeting, x).at(-1) ?? 0) > 32),
  "batch over 127": (meeting: Meeting): boolean =>
    meeting.nodes.some(
      ({ op, parents: [x] }) => op === "matmul" && sizeOf(shapeAt(meeting, x).slice(0, -2)) > 127,
    ),
  "system of one row": (meeting: Meeting): boolean =>
    meeting.nodes.some(
      ({ op, parents: [x] }) =>
        ["solve", "inv", "cholesky", "triangular_solve", "det"].includes(op) &&
        isSameShape(shapeAt(meeting, x).slice(-2), [1, 1]),
    ),
};
