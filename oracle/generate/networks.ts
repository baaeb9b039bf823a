import { isSameShape, type NodeId, present } from "../../spec/shapes/index.ts";
import { type Draft, room, shapeAt } from "./draft.ts";
import { apply, valueOfRank } from "./motif_parts.ts";
import { type Motif, motifs, type Step } from "./motifs.ts";
import { operandOf } from "./operands.ts";
import { appendReader } from "./pairs.ts";

/** Counts the occurrences of a motif in all architectures together. */
export function occurrences({ found }: Motif): number {
  return Object.values(found).reduce((total, count) => total + count, 0);
}

/**
 * Each motif has as many copies as its occurrences have binary digits, so that one in every layer of a large
 * network comes seven times as often as one that a small network has once, and not sixty times.
 */
const drawn: readonly Motif[] = Object.values(motifs).flatMap((motif) =>
  Array.from({ length: occurrences(motif).toString(2).length }, () => motif),
);

/** Returns the named operand if it has the shape of `x`, else another that has it. */
function partner(draft: Draft, x: NodeId, named: NodeId | undefined): NodeId | undefined {
  const shape = shapeAt(draft, x);
  const fits = named !== undefined && isSameShape(shapeAt(draft, named), shape);
  return fits ? named : operandOf(draft, shape);
}

/** Appends a step; returns `undefined` where it does not fit, or the profile lacks the operator. */
function take(draft: Draft, what: Step[0], x: NodeId, second: NodeId | undefined): NodeId | undefined {
  if (typeof what === "function") return what(draft, x);
  const op = present(what[draft.random.nextInt(0, what.length - 1)], "an operator");
  if (op === "add" || op === "multiply" || op === "subtract" || op === "logaddexp") {
    const y = partner(draft, x, second);
    return apply(draft, op, x, y);
  }
  if (op === "matmul" && second !== undefined) {
    return apply(draft, op, x, second);
  }
  return appendReader(draft, op, x);
}

/** Draws a motif, the frequent ones more often. */
function drawMotif({ random }: Draft): Motif {
  return present(drawn[random.nextInt(0, drawn.length - 1)], "a motif");
}

/** Plants a motif, or as much of it as fits; returns how many of its steps were appended. */
export function plantMotif(draft: Draft, { rank, steps }: Motif = drawMotif(draft)): number {
  const ids = [valueOfRank(draft, rank)];
  for (const [what, first, second] of steps) {
    const x = ids[first];
    const id =
      x === undefined || room(draft) === 0
        ? undefined
        : take(draft, what, x, second === undefined ? undefined : ids[second]);
    if (id === undefined) break;
    ids.push(id);
  }
  return ids.length - 1;
}
