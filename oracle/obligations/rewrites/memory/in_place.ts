import {
  type Access,
  bodiesOf,
  type Instruction,
  type Layout,
  type LoopProgram,
  shapeOfValue,
} from "../../../../engines/compile/plan/index.ts";
import { type Shape, sizeOf, stridesOf } from "../../../../spec/shapes/index.ts";
import type { Obligation, ObligationMutant } from "../../obligation.ts";
import { allReuse, soundLayOut, type WrongLayout } from "./layouts.ts";
import { ranIn } from "./running.ts";

/** One round of a loop nest writes and one, the same or another, reads, in elements of the arena. */
interface Meeting {
  /** The writing round has indices `i` of these extents. */
  readonly writing: Shape;
  readonly written: string;
  /** The reading round has indices `j` of these extents. */
  readonly reading: Shape;
  readonly read: string;
  /** If true, the round that reads an element may write it too, as a map's does. */
  readonly mayBeOwn: boolean;
}

/** Pairs every read of an instruction with every write: where they meet, what is read may be overwritten. */
function meetingsOf(program: LoopProgram, { places }: Layout): readonly (readonly [number, Meeting])[] {
  const { length } = program.sources;
  return program.instructions.flatMap((instruction, n) =>
    bodiesOf(instruction).flatMap(({ extents, body }) =>
      body.reads
        .filter(({ value }) => value >= length)
        .map((read): readonly [number, Meeting] => {
          const { writing, written } = writeOf(instruction, places[n] ?? 0);
          const start = places[read.value - length] ?? 0;
          const size = sizeOf(shapeOfValue(program, read.value));
          const mayBeOwn = instruction.kind === "map";
          return [n, { writing, written, reading: extents, read: addressOf(start, size, read), mayBeOwn }];
        }),
    ),
  );
}

/** Finds what an instruction writes, row-major: all of its elements, by loops or beforehand. */
function writeOf(
  { shape }: Instruction,
  place: number,
): { readonly writing: Shape; readonly written: string } {
  return { writing: shape, written: sumOf(place, stridesOf(shape), "i") };
}

/** Writes the address of a read; what is looked up may lie anywhere in the value. */
function addressOf(start: number, size: number, { offset, strides, indirections }: Access): string {
  if (indirections.length === 0) return sumOf(start + offset, strides, "j");
  return `(+ ${start} (ite (< looked 0) 0 (ite (< looked ${size}) looked ${size - 1})))`;
}

function sumOf(start: number, strides: readonly number[], index: string): string {
  const terms = strides.map((stride, axis) => `(* ${integer(stride)} ${index}${axis})`);
  return `(+ ${integer(start)} 0 ${terms.join(" ")})`;
}

function integer(x: number): string {
  return x < 0 ? `(- ${-x})` : `${x}`;
}

/** States that no round of an instruction reads what another has written. */
function formulaOf([n, { writing, written, reading, read, mayBeOwn }]: readonly [number, Meeting]): string {
  const within = (extents: Shape, index: string): readonly string[] =>
    extents.map((extent, axis) => `(<= 0 ${index}${axis} ${extent - 1})`);
  const bounds = [...within(writing, "i"), ...within(reading, "j")];
  const isSame = writing.map((_, axis) => `(= i${axis} j${axis})`);
  const own = mayBeOwn ? `(and true ${isSame.join(" ")})` : "false";
  return `(=> (and (= n ${n}) ${bounds.join(" ")} (= ${written} ${read})) ${own})`;
}

function parts(
  program: LoopProgram,
  layout: Layout,
): { readonly declarations: string; readonly goal: string } {
  const meetings = meetingsOf(program, layout);
  const ranks = meetings.map(([, { writing, reading }]) => Math.max(writing.length, reading.length));
  const axes = Array.from({ length: Math.max(0, ...ranks) }, (_, axis) => axis);
  const names = ["n", "looked", ...axes.flatMap((axis) => [`i${axis}`, `j${axis}`])];
  return {
    declarations: names.map((name) => `(declare-const ${name} Int)`).join("\n"),
    goal: `(and true ${meetings.map(formulaOf).join("\n  ")})`,
  };
}

/** States for a plan's memory that no round of a loop nest reads what another writes. */
export function inPlaceObligation(
  name: string,
  program: LoopProgram,
  wrong: readonly WrongLayout[],
): Obligation {
  return {
    id: `rewrites/in_place/${name}`,
    statement: `In the plan of ${name}: no round of an instruction reads an element that another round of it writes, so that an instruction may be computed in the place of its operand.`,
    clause: "SEMANTICS §7",
    logic: "QF_LIA",
    scope: { kind: "rewrite", rewrite: "in_place", format: "any" },
    tier: "everyday",
    ...parts(program, soundLayOut(program, allReuse).layout),
    hypotheses: [],
    rlimit: 5_000_000,
    requiredCore: [],
    mutants: wrong.map((one) => mutantOf(program, one)),
    dependsOn: ["rewrites/in_place/row_major"],
    metaArgument:
      "Access maps and places are those of the planner. What is scattered onto a value begins as that value, and so in its place; what else it reads is not there. That the read is the operand's last is the matter of buffer_reuse.",
  };
}

function mutantOf(program: LoopProgram, { name, fault, layOut }: WrongLayout): ObligationMutant {
  const { declarations, goal } = parts(program, layOut(program, allReuse).layout);
  return {
    name,
    fault,
    declarations,
    goal,
    ask: declarations.split("\n").map((line) => line.split(" ")[1] ?? ""),
    execute(model) {
      const number = Number(model.get("n"));
      const indices = (letter: string): string =>
        [...model]
          .filter(([term]) => new RegExp(`^${letter}\\d+$`).test(term))
          .map(([, value]) => value)
          .join(", ");
      const kind = program.instructions[number]?.kind;
      return ranIn(
        program,
        layOut,
        `round (${indices("j")}) of instruction ${number}, a ${kind}, reads what round (${indices("i")}) writes`,
      );
    },
  };
}
