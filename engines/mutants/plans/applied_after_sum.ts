import { apply, read } from "../../plan/expression.ts";
import { identity } from "../../plan/lower/draft.ts";
import type {
  FoldInstruction,
  Instruction,
  LoopProgram,
  MapInstruction,
  ValueId,
} from "../../plan/program.ts";
import { isIdentity } from "../../plan/rewrites/access.ts";
import { foldFusion } from "../../plan/rewrites/fold_fusion.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";
import { readOnce } from "./reading_through.ts";

/** A map of one function of one tensor, and the sum that alone reads it. */
interface Pair {
  readonly map: MapInstruction;
  readonly fold: FoldInstruction;
  readonly value: ValueId;
}

function pairAt(
  program: LoopProgram,
  instruction: Instruction,
  isReadOnce: ReadonlySet<ValueId>,
): Pair | undefined {
  if (
    instruction.kind !== "fold" ||
    instruction.operation !== "add" ||
    instruction.expression.kind !== "read"
  )
    return undefined;
  const value = instruction.reads[instruction.expression.read]?.value ?? -1;
  const map = program.instructions[value - program.sources.length];
  if (map?.kind !== "map" || map.expression.kind !== "apply" || !isReadOnce.has(value)) return undefined;
  const [operand, another] = map.expression.operands;
  const [from] = map.reads;
  const isPlain = operand?.kind === "read" && another === undefined && map.reads.length === 1;
  return isPlain && from !== undefined && isIdentity(from, map.shape)
    ? { map, fold: instruction, value }
    : undefined;
}

/** The sum in the map's place, and the function in the sum's. */
function exchanged({ map, fold, value }: Pair): readonly [Instruction, Instruction] {
  const from = map.reads[0]?.value ?? 0;
  const name = map.expression.kind === "apply" ? map.expression.function : "negative";
  const sum: Instruction = { ...fold, reads: fold.reads.map((one) => ({ ...one, value: from })) };
  const applied: Instruction = {
    kind: "map",
    shape: fold.shape,
    reads: [{ value, ...identity(fold.shape) }],
    expression: apply(name, read(0)),
  };
  return [sum, applied];
}

export const appliedAfterSum: PlanMutant = plantPlan(
  {
    name: "applied_after_sum",
    fault: "A function inside a sum is applied to the sum and not to its terms.",
    rewrite: "fold_fusion",
  },
  {
    passes: {
      fold_fusion(program) {
        const isReadOnce = readOnce(program);
        const instructions = [...program.instructions];
        for (const [n, instruction] of program.instructions.entries()) {
          const pair = pairAt(program, instruction, isReadOnce);
          if (pair === undefined) continue;
          [instructions[pair.value - program.sources.length], instructions[n]] = exchanged(pair);
        }
        return foldFusion({ ...program, instructions });
      },
    },
  },
);
