import type { ProgramAnswer } from "../../spec/contract/index.ts";
import { isSameShape } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Call, ProgramFinding } from "./answer.ts";

/** Reports a draw that no generator makes, or that differs from those `before` in the same first call. */
export function oddDraw(
  call: Call,
  draws: readonly FlatTensor[],
  before: readonly FlatTensor[] | undefined,
): ProgramFinding | undefined {
  const found = { ...call, part: "draw", bound: "0x0p+0" } as const;
  for (const [place, { data }] of draws.entries()) {
    const element = data.findIndex((x) => !(x >= 0 && x <= 1));
    if (element >= 0)
      return { ...found, place, element, answer: `${data[element]}`, expected: "from 0 to 1" };
  }
  if (call.isLater || before === undefined || areSame(draws, before)) return undefined;
  const place = draws.findIndex((draw, i) => !isSameTensor(draw, before[i]));
  return {
    ...found,
    place: Math.max(place, 0),
    element: 0,
    answer: "another draw",
    expected: "what was drawn from the same start before",
  };
}

/** Reports an engine that draws by its own generator, and does not tell each draw with its shape. */
export function untold(call: Call, { draws }: ProgramAnswer, why: string): ProgramFinding {
  const where = { ...call, part: "draw", place: draws.length, element: 0, bound: "0x0p+0" } as const;
  return { ...where, answer: `${draws.length} draws were told`, expected: `every draw: ${why}` };
}

/** Tells whether two lists have the same tensors, to the bit. */
export function areSame(some: readonly FlatTensor[], others: readonly FlatTensor[]): boolean {
  return some.length === others.length && some.every((tensor, i) => isSameTensor(tensor, others[i]));
}

function isSameTensor(x: FlatTensor, y: FlatTensor | undefined): boolean {
  return (
    y !== undefined &&
    isSameShape(x.shape, y.shape) &&
    x.data.every((value, i) => Object.is(value, y.data[i]))
  );
}
