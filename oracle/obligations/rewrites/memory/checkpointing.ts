import { checkpointedWithoutBases, repetitionsIn } from "../../../../engines/compile/mutants/index.ts";
import {
  type LoopProgram,
  type Passes,
  shapeOfValue,
  soundPasses,
  withBodies,
} from "../../../../engines/compile/plan/index.ts";
import { present, sizeOf } from "../../../../spec/shapes/index.ts";
import type { Obligation, ObligationMutant } from "../../obligation.ts";
import { claimOf, equivalenceOf, type Pair } from "../equivalence.ts";
import { inSomeAlgebra } from "../finite.ts";
import { abstract } from "../theories.ts";
import { frugalOf, graphs, plannedOf } from "./plans.ts";

/** This checkpointing has a fault. */
interface WrongCopies {
  readonly name: string;
  readonly fault: string;
  readonly checkpointing: Passes["checkpointing"];
}

const withoutBases: WrongCopies = {
  name: "copies_without_base",
  fault: "additions into a value that are computed again begin with zeros, not with the value.",
  checkpointing: checkpointedWithoutBases,
};

const ofOthers: WrongCopies = {
  name: "copies_of_others",
  fault:
    "what is computed again reads the value before the one that it should, where that has as many elements.",
  checkpointing(program, options) {
    const made = soundPasses.checkpointing(program, options);
    return { ...made, program: readingBefore(made.program) };
  },
};

function readingBefore(program: LoopProgram): LoopProgram {
  const isAgain = repetitionsIn(program);
  const sizeOfValue = (value: number): number => sizeOf(shapeOfValue(program, value));
  const instructions = program.instructions.map((instruction, n) =>
    !isAgain.has(n)
      ? instruction
      : withBodies(instruction, (body) => ({
          ...body,
          reads: body.reads.map((read) => {
            const value = Math.max(0, read.value - 1);
            return sizeOfValue(value) === sizeOfValue(read.value) ? { ...read, value } : read;
          }),
        })),
  );
  return { ...program, instructions };
}

/** Each graph has faults planted in it. */
const cases: readonly (readonly [graph: string, wrong: readonly WrongCopies[]])[] = [
  ["chain", [ofOthers]],
  ["scattered", [withoutBases]],
  ["attention", [ofOthers]],
  ["embedding", [ofOthers]],
];

/** Returns elements that index sources may name in every graph here. */
function indicesOf({ indexSources }: LoopProgram): readonly (readonly number[])[] {
  return indexSources.map(({ size }) => Array.from({ length: size }, (_, n) => (2 * n) % 3));
}

/** States that a program that recomputes values computes the same hash-consed, uninterpreted terms. */
export function checkpointingObligations(): readonly Obligation[] {
  return cases.map(([name, wrong]) => {
    const written = present(graphs[name], name);
    const before = plannedOf(written, "bit_exact");
    const pairOf = (after: LoopProgram): Pair => ({ before, after, indices: indicesOf(before) });
    const right = pairOf(frugalOf(written));
    const { declarations, goal } = equivalenceOf(right, abstract);
    const mutantOf = ({ checkpointing, ...about }: WrongCopies): ObligationMutant => {
      const faulty = pairOf(frugalOf(written, { ...soundPasses, checkpointing }));
      const laws = { kept: [], dropped: undefined, right: claimOf(right) } as const;
      return { ...about, ...inSomeAlgebra(claimOf(faulty), laws) };
    };
    return {
      id: `rewrites/checkpointing/${name}`,
      statement: `The plan of ${name} that computes values again rather than keep them has the results of the plan that keeps them, whatever the scalars are.`,
      clause: "SEMANTICS §7",
      logic: "QF_UF",
      scope: { kind: "rewrite", rewrite: "checkpointing", format: "any" },
      tier: "everyday",
      declarations,
      hypotheses: [],
      goal,
      rlimit: 1_000_000,
      requiredCore: [],
      mutants: wrong.map(mutantOf),
      dependsOn: [],
      metaArgument:
        "Both plans are the planner's own, run on terms. In the memory they are given, buffer_reuse and in_place speak of the plan that computes again as of every other.",
    };
  });
}
