import type { Random } from "fast-check";
import { type OperatorName, operators } from "../../spec/composites/index.ts";
import type { Point } from "../../spec/graph/index.ts";
import { type NodeId, nodeId, present, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { happens, oneOf } from "../random/index.ts";
import { append, type Draft, room } from "./draft.ts";
import { proposals } from "./operators.ts";
import { facing } from "./pairs.ts";
import { type Extent, specialNumber } from "./special.ts";
import { placeAt } from "./walk.ts";

/** An operator is proposed this often before the next one's turn comes. */
const TRIES = 8;

/** A case has so many turns of the walk through elementwise operators; the next case goes on from there. */
const MANY = 5;

/** It has only so many of the walk through the others, which are dear. */
const FEW = 2;

function isElementwise(op: OperatorName): boolean {
  return operators[op].isElementwise === true;
}

/** Lists the operators of a profile that have operands, elementwise ones or the others. */
function readersIn({ profile }: Draft, areElementwise: boolean): readonly OperatorName[] {
  return profile.operators.filter((op) => operators[op].arity !== 0 && isElementwise(op) === areElementwise);
}

/**
 * Appends nodes that mostly read inputs alone, in case number `index`, of the operators whose turn it is; so
 * cases that follow each other have all of them, and what one makes of special numbers hides no other. Half
 * of the cases have many elementwise operators, and half a few others. The call returns whether it appended
 * a node.
 */
export function reachPlanter(index: number): (draft: Draft) => boolean {
  let turn = 0;
  let areElementwise: boolean | undefined;
  return (draft) => {
    areElementwise ??= happens(draft.random, 1, 2);
    const names = readersIn(draft, areElementwise);
    const turns = areElementwise ? MANY : FEW;
    while (turn < turns && room(draft) > 0) {
      const op = names[placeAt(turns * index + turn, names.length)];
      turn += 1;
      if (op !== undefined && appendReader(draft, op)) return true;
    }
    return false;
  };
}

/** Appends nodes that read inputs, in case number `index`, of all operators in turn. */
export function turnPlanter(index: number): (draft: Draft) => boolean {
  let turn = 0;
  return (draft) => {
    const names = draft.profile.operators.filter((op) => operators[op].arity !== 0);
    const turns = draft.profile.nodes[0];
    while (turn < turns && room(draft) > 0) {
      const op = names[placeAt(turns * index + turn, names.length)];
      turn += 1;
      if (op !== undefined && appendReader(draft, op)) return true;
    }
    return false;
  };
}

/** Picks any input, or the largest where each element is a question of its own. */
function pickInput({ inputs, random }: Draft, op: OperatorName): NodeId {
  const counts = inputs.map(({ shape }) => sizeOf(shape));
  const largest = counts.indexOf(Math.max(...counts));
  return nodeId(isElementwise(op) ? largest : random.nextInt(0, inputs.length - 1));
}

/** Appends a node of the operator; its estimate may be anything, since its operands' numbers change later. */
function appendReader(draft: Draft, op: OperatorName): boolean {
  for (let attempt = 0; attempt < TRIES && room(draft) > 0; attempt++) {
    const near = facing(draft, pickInput(draft, op));
    const bold: Draft = { ...near, habits: { ...near.habits, isDaring: true } };
    const proposal = proposals[op](bold);
    if (proposal !== undefined && append(bold, proposal) !== undefined) return true;
  }
  return false;
}

/** A tensor's numbers are changed so, where each is a question of its own, or many are one. */
const manners = {
  apart: ["strewn", "strewn", "finite", "finite", "finite", "root", "scaled", "few"],
  together: [
    "strewn",
    "sparse",
    "sparse",
    "finite",
    "scaled",
    "root",
    "offset",
    "offset",
    "wide",
    "uniform",
    "few",
  ],
} as const;

/** Makes what a manner does to each number; where it can, zeros and signs stay, and so do structures. */
function mannered(random: Random, manner: string, all: Extent): (x: number) => number {
  const some = all === "any" ? "finite" : all;
  switch (manner) {
    case "strewn":
      return (x) => (happens(random, 7, 8) ? specialNumber(random, all) : x);
    case "sparse":
      return (x) => (happens(random, 1, 6) ? specialNumber(random, all) : x);
    case "finite":
      return (x) => (happens(random, 2, 3) ? specialNumber(random, some) : x);
    case "scaled": {
      const scale = specialNumber(random, some);
      return (x) => x * scale;
    }
    case "root": {
      const exponent = all === "short" ? 12 : oneOf(random, [-1, 1]) * random.nextInt(500, 540);
      return (x) => x * 2 ** exponent;
    }
    case "offset": {
      const offset = oneOf(random, [-1, 1]) * 2 ** random.nextInt(6, 30);
      return (x) => x + offset;
    }
    case "wide":
      return (x) => x * 2 ** random.nextInt(4, 9);
    case "uniform": {
      const only = specialNumber(random, all);
      return () => only;
    }
    default: {
      const two = [specialNumber(random, some), oneOf(random, [0, -0, 1, -1])] as const;
      return () => oneOf(random, two);
    }
  }
}

/** These eliminate, and exact quotients of numbers of all magnitudes have thousands of digits. */
const eliminating: ReadonlySet<OperatorName> = new Set<OperatorName>([
  "solve",
  "det",
  "inv",
  "cholesky",
  "triangular_solve",
]);

/** Replaces numbers of a draft's point, those of each tensor in a manner of its own or all in one. */
export function reached(point: Point, { environment, nodes }: Draft, random: Random): Point {
  const extent: Extent = nodes.some(({ op }) => eliminating.has(op)) ? "short" : "any";
  const among = manners[nodes.filter(({ op }) => isElementwise(op)).length > FEW ? "apart" : "together"];
  const drawn = (): string => among[random.nextInt(0, among.length - 1)] ?? "strewn";
  const common = happens(random, 1, 2) ? drawn() : undefined;
  const replaced = ({ shape, data }: FlatTensor): FlatTensor => {
    if (common === undefined && happens(random, 1, 6)) return { shape, data };
    const change = mannered(random, common ?? drawn(), extent);
    return { shape, data: data.map((x) => change(x)) };
  };
  const entries = environment.map(({ name, kind }): [string, FlatTensor] => {
    const entry = present(point.environment.get(name), "an entry");
    return [name, kind === "real" ? replaced(entry) : entry];
  });
  return { inputs: point.inputs.map(replaced), environment: new Map(entries) };
}
