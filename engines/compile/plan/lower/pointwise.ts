import { at, sizeOf } from "../../../../spec/shapes/index.ts";
import { literal, read } from "../expression.ts";
import type { Read, ValueId } from "../program.ts";
import { type PointwiseName, type PointwiseRule, pointwiseRules } from "../rules/index.ts";
import { type Draft, identity, stacked } from "./draft.ts";
import type { Application, Dots, Lowering } from "./lowering.ts";

/** Reads 0 to 2 are the operands, 3 is the value, 4 is the cotangent or the first of the tangents. */
const element = { x: read(0), y: read(1), z: read(2), value: read(3) };

/** Lowers a pointwise primitive: its rule is the body of one loop. */
export function pointwise<K extends PointwiseName>(name: K): Lowering<K> {
  const rule: PointwiseRule = pointwiseRules[name];
  return {
    forward: (draft, application) =>
      draft.map(application.shape, operandReads(draft, application), rule.forward(element)),
    tangent: (draft, application, value, dots) => pushed(draft, rule, application, value, dots),
    cotangents(draft, application, value, c, isWanted) {
      const reads = [...operandReads(draft, application), draft.whole(value), draft.whole(c)];
      return rule.pull(element, read(4)).map((expression, operand) => {
        if (expression === undefined || !isWanted(operand)) return undefined;
        // A cotangent that is handed on unchanged needs no loop.
        if (expression.kind === "read" && expression.read === 4) return c;
        return draft.map(application.shape, reads, expression);
      });
    },
  };
}

/** Makes three reads; where operands are missing they repeat the first, and no rule uses them. */
function operandReads<K extends PointwiseName>(draft: Draft, { operands }: Application<K>): Read[] {
  const [x = at(operands, 0), y, z] = operands;
  const first = draft.whole(x);
  return [first, y === undefined ? first : draft.whole(y), z === undefined ? first : draft.whole(z)];
}

function pushed<K extends PointwiseName>(
  draft: Draft,
  rule: PointwiseRule,
  application: Application<K>,
  value: ValueId,
  { count, values }: Dots,
): ValueId | undefined {
  if (rule.push === undefined || values.every((dot) => dot === undefined)) return undefined;
  const { shape } = application;
  const size = sizeOf(shape);
  const primal = [...operandReads(draft, application), draft.whole(value)].map((whole) => ({
    value: whole.value,
    ...stacked(whole, 0),
  }));
  const moving = values.flatMap((dot) =>
    dot === undefined ? [] : [{ value: dot, ...stacked(identity(shape), size) }],
  );
  let next = primal.length;
  // An operand that does not move has the tangent 0, which the definition computes with.
  const [xDot = zero, yDot = zero, zDot = zero] = values.map((dot) =>
    dot === undefined ? zero : read(next++),
  );
  return draft.map([count, ...shape], [...primal, ...moving], rule.push(element, { xDot, yDot, zDot }));
}

const zero = literal(0);
