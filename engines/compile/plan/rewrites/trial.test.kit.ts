import type { Application, Expression } from "../expression.ts";
import type { LoopProgram, Read } from "../program.ts";
import {
  differences,
  type Kind,
  resultsOf,
  type Specimen,
  specimen,
  valuesOf,
} from "../programs.test.kit.ts";
import { withBodies } from "./bodies.ts";
import { simplified } from "./expressions.ts";
import type { Pass } from "./rewritten.ts";

/** These programs have any numbers, for passes that are exact in IEEE arithmetic. */
export const anyNumbers: readonly Kind[] = [4, 12, 40].map((instructions) => ({
  integers: false,
  instructions,
}));

/** These programs have integers, for passes that are exact where sums have no order and zeros no sign. */
export const integers: readonly Kind[] = [4, 12, 40].map((instructions) => ({
  integers: true,
  instructions,
}));

/** The trial says how often a pass fires on random programs, and where it changes a result. */
export interface Trial {
  readonly fired: number;
  readonly faults: readonly string[];
}

/** Runs a pass on random programs; zeros have no sign where numbers are integers. A throw is a fault. */
export function trial(pass: Pass, kinds: readonly Kind[], seeds = 120): Trial {
  const faults: string[] = [];
  let fired = 0;
  for (const [name, one, isExact] of cases(kinds, seeds)) {
    const outcome = outcomeOf(pass, one, isExact);
    fired += outcome.fired;
    if (outcome.fault !== undefined) faults.push(`${name}: ${outcome.fault}`);
  }
  return { fired, faults };
}

/** Says whether a trial finds a fault; it ends there. */
export function isFoundOut(pass: Pass, kinds: readonly Kind[], seeds = 120): boolean {
  for (const [, one, isExact] of cases(kinds, seeds))
    if (outcomeOf(pass, one, isExact).fault !== undefined) return true;
  return false;
}

/** Yields random programs with names, and whether their zeros have signs. */
function* cases(
  kinds: readonly Kind[],
  seeds: number,
): Generator<readonly [name: string, one: Specimen, isExact: boolean]> {
  for (let seed = 0; seed < seeds; seed++)
    for (const kind of kinds) {
      const one = specimen(seed, kind);
      // Sums of integers are exact only up to 2⁵³.
      if (kind.integers && valuesOf(one, one.program).some((values) => values.some(isLarge))) continue;
      yield [`seed ${seed}, ${kind.instructions} instructions`, one, !kind.integers];
    }
}

function outcomeOf(
  pass: Pass,
  one: Specimen,
  isExact: boolean,
): { readonly fired: number; readonly fault: string | undefined } {
  try {
    const { program, fired } = pass(one.program);
    const [fault] = differences(resultsOf(one, one.program), resultsOf(one, program), !isExact);
    return { fired, fault };
  } catch (error) {
    return { fired: 0, fault: String(error) };
  }
}

function isLarge(x: number): boolean {
  return Number.isFinite(x) && Math.abs(x) > 2 ** 50;
}

/** Plants a fault: every read that the pass has put into an instruction is spoiled afterwards. */
export function spoiling(pass: Pass, spoiled: (read: Read, rank: number) => Read): Pass {
  return (program) => {
    const after = pass(program);
    const instructions = after.program.instructions.map((instruction, n) => {
      const before = program.instructions[n];
      const own = new Set(before && readsOf(before));
      return withBodies(instruction, (body) => ({
        ...body,
        reads: body.reads.map((read) => (own.has(read) ? read : spoiled(read, instruction.shape.length))),
      }));
    });
    return { ...after, program: { ...after.program, instructions } };
  };
}

/** Plants a fault: the pass also believes a law that does not hold. */
export function believing(pass: Pass, law: (application: Application) => Expression | undefined): Pass {
  return (program) => {
    const instructions = program.instructions.map((instruction) =>
      withBodies(instruction, (body) => ({ ...body, expression: simplified(body.expression, law) })),
    );
    return pass({ ...program, instructions });
  };
}

function readsOf(instruction: LoopProgram["instructions"][number]): readonly Read[] {
  const reads: Read[] = [];
  withBodies(instruction, (body) => {
    reads.push(...body.reads);
    return body;
  });
  return reads;
}
