import type { ProgramCase } from "../../spec/documents/index.ts";
import type { Block, Statement, StatementOf } from "../../spec/programs/index.ts";
import type { Origins } from "./origins.ts";
import { freshNames, renamed } from "./renamed.ts";
import { withoutNoGrad } from "./without_no_grad.ts";
import { counting, holdsAfter, leavingIn, MOST_TURNS, turnsOf, withoutThese } from "./written_out.ts";
import { calledHere, customHere } from "./written_out_calls.ts";

/** These statements do what one does, and if they are right where it is wrong, then this one is to blame. */
export interface Otherwise {
  readonly block: Block;
  readonly of: Statement;
}

/**
 * Lists what may do the same as a statement around others, without it or without a break in it. Where a break
 * ends a turn it does something else: whoever asks compares the runs.
 */
export function* otherwise(
  given: ProgramCase,
  before: Block,
  statement: Statement,
  origins: Origins,
): Generator<Otherwise> {
  const written = (block: Block): Otherwise => ({
    block: renamed(block, freshNames(block, origins), origins),
    of: statement,
  });
  switch (statement.do) {
    case "no_grad":
      yield written(withoutNoGrad(given, before, statement, origins));
      return;
    case "checkpoint":
      yield written(statement.body);
      return;
    case "if": {
      const holds = holdsAfter(given, before, statement.condition);
      if (holds !== undefined) yield written(holds ? statement.body : statement.otherwise);
      return;
    }
    case "for":
    case "while": {
      yield* withoutBreaks(statement, origins);
      const block = turnsWithin(given, before, statement, origins);
      if (block !== undefined) yield { block, of: statement };
      return;
    }
    case "call": {
      const block = calledHere(given.program, statement, origins);
      if (block !== undefined) yield { block, of: statement };
      return;
    }
    case "custom":
    case "hook":
      yield { block: customHere(given.program, statement, origins), of: statement };
      return;
    default:
      return;
  }
}

/** Lists loops that have some turns and one break less: it may have ended the loop, behind these turns. */
function* withoutBreaks(loop: StatementOf<"for" | "while">, origins: Origins): Generator<Otherwise> {
  const [counter, most] = loop.do === "for" ? [loop.counter, loop.times] : [origins.fresh(), loop.fuel];
  for (const leaving of leavingIn(loop.body, "break")) {
    const body = withoutThese(loop.body, [leaving], origins);
    for (let times = 1; times <= Math.min(most, MOST_TURNS); times++)
      yield { block: [origins.note({ do: "for", counter, times, body }, loop)], of: leaving };
  }
}

function turnsWithin(
  given: ProgramCase,
  before: Block,
  statement: StatementOf<"for" | "while">,
  origins: Origins,
): Block | undefined {
  if (statement.do === "for") return turnsOf(statement, origins);
  if (statement.fuel > MOST_TURNS) return undefined;
  const loop = counting(given, before, statement, origins);
  return loop && turnsOf(loop, origins);
}
