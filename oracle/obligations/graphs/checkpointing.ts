import {
  type CheckpointReport,
  type LoopProgram,
  operandsOf,
  type PlanOptions,
  plan,
  shapeOfValue,
  type ValueId,
  withOperands,
} from "../../../engines/compile/plan/index.ts";
import { declarationsOf, symbolic, uninterpreted } from "../../../reference/algebras/symbolic/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { InvariantError, isSameShape, present, sizeOf } from "../../../spec/shapes/index.ts";
import { finiteAlgebra, nameParts, tableOf } from "../finite.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { resultsOver } from "../rewrites/index.ts";
import { arithmeticOf, loweredGradient, programTerms, sourceNames } from "./lowered.ts";

/** These options leave out what turns small graphs into one loop or values into other terms. */
const planned: PlanOptions = {
  regime: "bit_exact",
  precision: "float64",
  without: new Set(["common_subexpressions", "view_composition", "units", "map_fusion", "fold_fusion"]),
};

/** A graph's gradient has two loop programs. */
export interface Checkpointing {
  /** This one keeps every value that is read again. */
  readonly stored: LoopProgram;
  /** This one keeps what fits the least feasible budget, and computes the others again. */
  readonly checkpointed: LoopProgram;
  readonly report: CheckpointReport;
}

/** Plans a graph's gradient without a budget and with the least feasible one. */
export function checkpointingOf(program: PrimitiveGraph): Checkpointing {
  const lowered = loweredGradient(program);
  const within = (budgetBytes: number): { program: LoopProgram; report: CheckpointReport } => {
    const { program: made, report } = plan(lowered, { ...planned, budgetBytes });
    return { program: made, report: present(report.checkpointing, "a report of checkpointing") };
  };
  const { program: checkpointed, report } = within(within(0).report.peakBytes);
  return { stored: plan(lowered, planned).program, checkpointed, report };
}

/** Lists the instructions of the second program that recompute values of the first. */
export function copiesIn({ stored, checkpointed }: Checkpointing): readonly number[] {
  const a = symbolic();
  const keysOf = (program: LoopProgram): readonly string[] => {
    const sources = sourceNames(program).map((names) => names.map(a.variable));
    const results = program.instructions.map((_, n) => program.sources.length + n);
    const terms = resultsOver({ ...program, results }, arithmeticOf(a.operations), { sources });
    let end = 0;
    return program.instructions.map(({ shape }) => {
      const start = end;
      end += sizeOf(shape);
      const own = terms.slice(start, end).map(({ id }) => id);
      return `${shape.join("x")}: ${own.join(" ")}`;
    });
  };
  const left = new Map<string, number>();
  for (const key of keysOf(stored)) left.set(key, (left.get(key) ?? 0) + 1);
  return keysOf(checkpointed).flatMap((key, n) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count > 0 ? [] : [n];
  });
}

/** Makes one instruction read another value. */
function reading(program: LoopProgram, n: number, from: ValueId, to: ValueId): LoopProgram {
  const instructions = program.instructions.map((instruction, place) =>
    place === n ? withOperands(instruction, (value) => (value === from ? to : value)) : instruction,
  );
  return { ...program, instructions };
}

/** Computes a copy from another value of its shape, so that results are other terms, if there is one. */
export function wronglyCheckpointed(checkpointing: Checkpointing): LoopProgram | undefined {
  const { checkpointed } = checkpointing;
  const a = symbolic();
  const right = programTerms(checkpointed, a);
  const isOther = (some: LoopProgram): boolean =>
    programTerms(some, a).some((term, index) => term !== right[index]);
  const shapeOf = (value: ValueId) => shapeOfValue(checkpointed, value);
  for (const n of copiesIn(checkpointing)) {
    const instruction = present(checkpointed.instructions[n], "a copy");
    for (const from of operandsOf(instruction)) {
      for (let to = checkpointed.sources.length + n - 1; to >= 0; to--) {
        if (to === from || !isSameShape(shapeOf(to), shapeOf(from))) continue;
        const wrong = reading(checkpointed, n, from, to);
        if (isOther(wrong)) return wrong;
      }
    }
  }
  return undefined;
}

/** Writes both results as terms of separate runs, with all parts named, and states that they are equal. */
function write(stored: LoopProgram, again: LoopProgram) {
  const [of, other] = [stored, again].map((program) => programTerms(program, symbolic()));
  const [left, right] = [present(of, "terms"), present(other, "terms")];
  const named = [nameParts(left, "stored_"), nameParts(right, "again_")] as const;
  const equations = left.map(
    (term, index) => `(= ${named[0].nameOf(term)} ${named[1].nameOf(present(right[index], "a term"))})`,
  );
  return {
    named,
    declarations: [
      declarationsOf([...left, ...right], uninterpreted),
      ...named.map(({ definitions }) => definitions),
    ].join("\n"),
    goal: `(and true ${equations.join("\n  ")})`,
  };
}

/** Runs the programs over a model's algebra, at its inputs. */
function execute(
  programs: readonly [stored: LoopProgram, checkpointed: LoopProgram, wrong: LoopProgram],
  { named }: ReturnType<typeof write>,
  model: Model,
): Execution {
  const table = tableOf(model, named);
  const { orderedReal } = finiteAlgebra(table).levels;
  const arithmetic = arithmeticOf(present(orderedReal, "all operations"));
  const [stored, right, wrong] = programs.map((program) => {
    const sources = sourceNames(program).map((names) => names.map((name) => table.element(name) ?? "unread"));
    return resultsOver(program, arithmetic, { sources }).join(" ");
  });
  return {
    showsFault: stored === right && stored !== wrong,
    told: `over the model's algebra: all kept ${stored}; computed again ${right}; from the wrong value ${wrong}`,
  };
}

function mutantsOf(checkpointing: Checkpointing): readonly ObligationMutant[] {
  const { stored, checkpointed } = checkpointing;
  const wrong = wronglyCheckpointed(checkpointing);
  if (wrong === undefined) return [];
  const written = write(stored, wrong);
  return [
    {
      name: "wrong-value",
      fault: "a value is computed again from another value than at first",
      declarations: written.declarations,
      goal: written.goal,
      ask: [...new Set(written.named.flatMap(({ names }) => names))],
      execute: (model) => execute([stored, checkpointed, wrong], written, model),
    },
  ];
}

/**
 * States that the checkpointed gradient of a graph is the stored one, whatever the operations are. Throws
 * {@link InvariantError} where nothing is recomputed, since that would say nothing.
 */
export function checkpointingObligation(program: PrimitiveGraph, index: number): Obligation {
  const number = String(index + 1).padStart(2, "0");
  const checkpointing = checkpointingOf(program);
  const { stored, checkpointed, report } = checkpointing;
  if (!report.fits || report.recomputed === 0)
    throw new InvariantError(`in graph ${number} nothing is computed again`);
  const { declarations, goal } = write(stored, checkpointed);
  return {
    id: `graphs/checkpointed_${number}`,
    statement: `Whatever the operations of scalars are: the gradient in ${report.peakBytes} bytes, for which ${report.recomputed === 1 ? "one value is" : `${report.recomputed} values are`} computed again, is that in ${report.storedBytes} bytes, where all are kept.`,
    clause: "SEMANTICS §5",
    logic: "QF_UF",
    scope: { kind: "graph", graph: `that of graphs/polynomial_${number}, ${program.nodes.length} nodes` },
    tier: "everyday",
    declarations,
    hypotheses: [],
    goal,
    rlimit: 2_500_000,
    requiredCore: [],
    mutants: mutantsOf(checkpointing),
    dependsOn: [`graphs/polynomial_${number}`],
    metaArgument:
      "The programs are the planner's own, without a budget and with the least that can be met, run on terms. That the gradient where all values are kept is the symbolic one, is what the obligation says that it depends on.",
  };
}
