import type { LoopProgram } from "../../../engines/compile/plan/index.ts";
import { symbolic } from "../../../reference/algebras/symbolic/index.ts";
import {
  type PrimitiveAttributes,
  type PrimitiveName,
  primitiveNames,
} from "../../../spec/operators/index.ts";
import { comparedMutant, equationsOf } from "../derivatives/index.ts";
import { madeAll } from "../made.ts";
import type { Obligation, ObligationMutant } from "../obligation.ts";
import {
  anywhere,
  obliged,
  type Place,
  tellUsage,
  type Usage,
  type Use,
  usages,
  useOf,
  writeStatement,
} from "../operators/index.ts";
import { faultsOf } from "./faults.ts";
import { byOtherFormulas, comparedLoops, loopsOf } from "./loops.ts";
import { mapObligations } from "./maps/index.ts";

/**
 * States for each primitive at its uses that the loops that engines run compute what the reference's rules
 * do, and of each access at unknown extents that it is the operator's index map. `det`, `solve` and
 * `bernoulli_mask` are no loops: a routine of the host computes them.
 */
export function loweringObligations(): readonly Obligation[] {
  return [
    ...primitiveNames.filter((op) => !byOtherFormulas.has(op)).flatMap((op) => obligationsOf(op)),
    ...mapObligations(),
  ];
}

function obligationsOf<K extends PrimitiveName>(op: K): readonly Obligation[] {
  const listed: readonly Usage<PrimitiveAttributes[K]>[] = usages[op];
  return listed.flatMap((usage) =>
    madeAll(`lowering/${op}/${usage.label}`, () => {
      const use = useOf(op, usage);
      if (use.shape.includes(0)) return [];
      const program = loopsOf(use);
      return program.instructions.some(({ kind }) => kind === "routine")
        ? []
        : [loweringObligation(use, program)];
    }),
  );
}

function loweringObligation<K extends PrimitiveName>(use: Use<K>, program: LoopProgram): Obligation {
  const { op, usage } = use;
  const algebra = symbolic();
  const { goals } = equationsOf(algebra, comparedLoops(use, program).pairs(algebra, algebra.variable));
  const question = writeStatement([], goals);
  return {
    id: `lowering/${op}/${usage.label}`,
    statement: `The loops of ${op} compute its value, two tangents at once and the cotangents of the reference's rules, for ${tellUsage(usage)} and all real numbers, whatever the elementary functions are.`,
    clause: "SEMANTICS §7",
    ...obliged(op, usage.label, question),
    mutants: mutantsOf(use, program),
    metaArgument:
      "The terms are what the lowered loops, run element by element as program.ts defines them, and the reference's own rules compute over symbols, each case of what they select apart.",
  };
}

/** Fixes the numbers that are multiplied, so that a model is easy to find. */
const place: Place = (name) => {
  const [, kind = "", position = "0"] = /^(.*?)\.?([0-9]+)$/.exec(name) ?? [];
  return kind === "c" || kind.includes("dx") ? Number(position) ** 2 + kind.length + 2 : undefined;
};

/** At most this many instructions are made wrong, each in one way. */
const MOST_MUTANTS = 3;

function mutantsOf<K extends PrimitiveName>(use: Use<K>, program: LoopProgram): readonly ObligationMutant[] {
  const right = comparedLoops(use, program);
  const mutants: ObligationMutant[] = [];
  for (const faults of faultsOf(program)) {
    if (mutants.length === MOST_MUTANTS) break;
    for (const { name, fault, program: wrong } of faults) {
      const variants = { right, wrong: comparedLoops(use, wrong) };
      const where = `${use.op} at ${use.usage.label}`;
      const mutant = comparedMutant(variants, {
        name,
        fault,
        where,
        places: [place, anywhere],
        hypotheses: [],
      });
      if (mutant === undefined) continue;
      mutants.push(mutant);
      break;
    }
  }
  return mutants;
}

export { byOtherFormulas, comparedLoops, loopsOf } from "./loops.ts";
