import { type Layout, type LoopProgram, operandsOf } from "../../../../engines/compile/plan/index.ts";
import { sizeOf } from "../../../../spec/shapes/index.ts";
import type { Model, Obligation, ObligationMutant } from "../../obligation.ts";
import { allReuse, soundLayOut, type WrongLayout } from "./layouts.ts";
import { ranIn } from "./running.ts";

/** Defines a function of an instruction's number, as a table. */
function table(name: string, values: readonly number[]): string {
  const cases = values.reduceRight((rest, value, n) => `(ite (= i ${n}) ${value} ${rest})`, "0");
  return `(define-fun ${name} ((i Int)) Int ${cases})`;
}

/** Defines a relation between the numbers of two instructions. */
function relation(name: string, pairs: readonly (readonly [number, number])[]): string {
  const cases = pairs.map(([n, v]) => `(and (= n ${n}) (= v ${v}))`);
  return `(define-fun ${name} ((n Int) (v Int)) Bool (or false ${cases.join(" ")}))`;
}

/** Lists which instruction reads which one's value; one past the last reads the results. */
function readsOf({ sources, instructions, results }: LoopProgram): readonly (readonly [number, number])[] {
  const pairs = [
    ...instructions.flatMap((instruction, n) =>
      operandsOf(instruction).map((value) => [n, value - sources.length] as const),
    ),
    ...results.map((value) => [instructions.length, value - sources.length] as const),
  ].filter(([, made]) => made >= 0);
  return [...new Map(pairs.map((pair) => [pair.join(), pair])).values()];
}

/** Lists the instructions that may and do start where an operand starts: maps, and scatters onto it. */
function startsOver(program: LoopProgram, { places }: Layout): readonly (readonly [number, number])[] {
  return readsOf(program).filter(([n, made]) => {
    const instruction = program.instructions[n];
    if (places[n] !== places[made] || instruction === undefined) return false;
    return (
      instruction.kind === "map" ||
      (instruction.kind === "scatter" && instruction.base === made + program.sources.length)
    );
  });
}

function declarationsOf(program: LoopProgram, layout: Layout): string {
  return [
    ...["v", "n", "w", "a"].map((name) => `(declare-const ${name} Int)`),
    table("place", layout.places),
    table(
      "size",
      program.instructions.map(({ shape }) => sizeOf(shape)),
    ),
    relation("reads", readsOf(program)),
    relation("starts-over", startsOver(program, layout)),
    "(define-fun holds ((i Int) (b Int)) Bool (and (<= 0 i) (<= (place i) b) (< b (+ (place i) (size i)))))",
  ].join("\n");
}

/** States that a value keeps its elements at all its addresses until each reader has read it. */
export function lastWriteObligation(
  name: string,
  program: LoopProgram,
  wrong: readonly WrongLayout[],
): Obligation {
  const { layout } = soundLayOut(program, allReuse);
  return {
    id: `rewrites/buffer_reuse/${name}`,
    statement: `In the plan of ${name}: what an instruction reads of a value was last written by the instruction that makes it, at every address.`,
    clause: "SEMANTICS §7",
    logic: "QF_LIA",
    scope: { kind: "rewrite", rewrite: "buffer_reuse", format: "any" },
    tier: "everyday",
    declarations: declarationsOf(program, layout),
    hypotheses: [],
    goal: "(=> (and (reads n v) (holds v a) (< v w) (<= w n) (holds w a)) (and (= w n) (starts-over n v)))",
    rlimit: 2_000_000,
    requiredCore: [],
    mutants: wrong.map((one) => mutantOf(program, one)),
    dependsOn: ["rewrites/buffer_reuse/any_plan", `rewrites/in_place/${name}`],
    metaArgument:
      "Instructions and places are those of the planner. An instruction that starts where its operand starts is the matter of in_place.",
  };
}

function mutantOf(program: LoopProgram, { name, fault, layOut }: WrongLayout): ObligationMutant {
  return {
    name,
    fault,
    declarations: declarationsOf(program, layOut(program, allReuse).layout),
    ask: ["v", "n", "w", "a"],
    execute: (model) => ranIn(program, layOut, conflictIn(program, model)),
  };
}

function conflictIn(program: LoopProgram, model: Model): string {
  const [v, n, w, a] = ["v", "n", "w", "a"].map((name) => Number(model.get(name)));
  const kinds = (number: number | undefined): string => program.instructions[number ?? -1]?.kind ?? "result";
  return `at address ${a} instruction ${w}, a ${kinds(w)}, writes over what ${v} made and ${n}, a ${kinds(n)}, reads`;
}
