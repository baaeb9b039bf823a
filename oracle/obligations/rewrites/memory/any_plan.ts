import {
  apply,
  isIdentity,
  type LoopProgram,
  literal,
  type MapInstruction,
  read,
} from "../../../../engines/compile/plan/index.ts";
import { identity } from "../../../../engines/compile/plan/lower/index.ts";
import { sizeOf } from "../../../../spec/shapes/index.ts";
import type { Execution, Hypothesis, Model, Obligation } from "../../obligation.ts";
import { allReuse, noReuse, soundLayOut } from "./layouts.ts";
import { resultsIn } from "./running.ts";

const numberIn = (model: Model, name: string): number => Number(model.get(name));

/** Maps this many elements of the one source, by a factor that tells it from others. */
function made(size: number, factor: number): MapInstruction {
  const expression = apply("multiply", read(0), literal(factor));
  return { kind: "map", shape: [size], reads: [{ value: 0, ...identity([size]) }], expression };
}

function reader(value: number, size: number): MapInstruction {
  return { ...made(size, -1), reads: [{ value, ...identity([size]) }] };
}

/** Makes a program of one source, whose result is the last value. */
function programOf(instructions: readonly MapInstruction[], size: number): LoopProgram {
  return {
    sources: [{ origin: { kind: "input", position: 0 }, shape: [size] }],
    indexSources: [],
    instructions,
    results: [instructions.length],
  };
}

/** A model's places have at most this many elements. */
const MOST = 8;

/** Runs the program in these places, in the engine's, and with all values apart: only the first must fail. */
function ranAt(program: LoopProgram, places: readonly number[], told: string): Execution {
  const length = Math.max(...places.map((place, n) => place + (program.instructions[n]?.shape[0] ?? 0)));
  const wrong = resultsIn(program, { places, length });
  const [right, apart] = [allReuse, noReuse].map((options) =>
    resultsIn(program, soundLayOut(program, options).layout),
  );
  const isSame = (numbers: readonly number[] | undefined): boolean =>
    apart?.every((x, n) => Object.is(x, numbers?.[n])) ?? false;
  return {
    showsFault: isSame(right) && !isSame(wrong),
    told: `${told}: read are ${wrong.map((x) => -x).join(", ")}, and of v are ${(apart ?? []).map((x) => -x).join(", ")}`,
  };
}

const small: Hypothesis = {
  name: "small",
  formula: ["v", "t"]
    .flatMap((one) => [`(<= 0 (place ${one}) ${MOST})`, `(<= 1 (size ${one}) ${MOST})`])
    .reduce((all, one) => `(and ${all} ${one})`),
};

const asked = ["v", "t", "n", "a", "before", "(place v)", "(size v)", "(place t)", "(size t)"];

/** Reads what v is, what t is, and where: `v` reads as the first instruction, `t` as another. */
function placesIn(model: Model): readonly [size: number, size: number, places: readonly [number, number]] {
  const [pv, sv, pt, st] = ["(place v)", "(size v)", "(place t)", "(size t)"].map((term) =>
    numberIn(model, term),
  );
  return [sv ?? 0, st ?? 0, [pv ?? 0, pt ?? 0]];
}

const far = 4 * MOST;

/** States a step of the induction over instructions: a value keeps its addresses up to its reader. */
const anyPlan: Obligation = {
  id: "rewrites/buffer_reuse/any_plan",
  statement:
    "In every plan where no instruction between the one that makes a value and one that reads it has a place that meets the value's, the value is there when it is read.",
  clause: "SEMANTICS §7",
  logic: "QF_UFLIA",
  scope: { kind: "rewrite", rewrite: "buffer_reuse", format: "any" },
  tier: "everyday",
  declarations: `(declare-fun place (Int) Int)
(declare-fun size (Int) Int)
(declare-const v Int)
(declare-const t Int)
(declare-const n Int)
(declare-const a Int)
(declare-const before Int)
(define-fun writes ((i Int)) Bool (and (<= (place i) a) (< a (+ (place i) (size i)))))
(define-fun after ((i Int) (held Int)) Int (ite (writes i) i held))`,
  hypotheses: [
    { name: "induction", formula: "(= before v)" },
    { name: "alive", formula: "(and (< v t) (< t n))" },
    {
      name: "apart",
      formula:
        "(=> (and (< v t) (< t n)) (or (<= (+ (place v) (size v)) (place t)) (<= (+ (place t) (size t)) (place v))))",
    },
  ],
  goal: "(=> (writes v) (and (= (after v before) v) (= (after t before) v)))",
  rlimit: 100_000,
  requiredCore: ["induction", "alive", "apart"],
  mutants: [
    {
      name: "meeting",
      fault: "an instruction between has a place that meets the value's.",
      without: ["apart"],
      instead: [small],
      ask: asked,
      execute(model) {
        const [sv, st, places] = placesIn(model);
        const program = programOf([made(sv, 2), made(st, 3), reader(1, sv)], 2 * MOST);
        return ranAt(program, [...places, far], `v at ${places[0]}, another at ${places[1]}`);
      },
    },
    {
      name: "read_once_more",
      fault: "the value is read again after what nothing keeps away from it.",
      without: ["alive"],
      instead: [small, { name: "later", formula: "(< v n t)" }],
      ask: asked,
      execute(model) {
        const [sv, st, places] = placesIn(model);
        const program = programOf([made(sv, 2), reader(1, sv), made(st, 3), reader(1, sv)], 2 * MOST);
        return ranAt(
          program,
          [places[0], far, places[1], 2 * far],
          `v at ${places[0]} is read, then another is made at ${places[1]}, then v is read again`,
        );
      },
    },
    {
      name: "lost_before",
      fault: "the value was not there any more before the instruction.",
      without: ["induction"],
      instead: [small],
      ask: asked,
      execute(model) {
        const [sv, st, places] = placesIn(model);
        const program = programOf([made(sv, 2), made(sv, 5), made(st, 3), reader(1, sv)], 2 * MOST);
        return ranAt(
          program,
          [places[0], places[0], places[1], far],
          `v at ${places[0]} is written over by an earlier one than that at ${places[1]}`,
        );
      },
    },
  ],
  dependsOn: [],
  metaArgument:
    "Induction over the instructions from the one that makes the value to the one that reads it: `before` is which instruction wrote the address a last. Instructions write all of their place and nothing else.",
};

/** States that different rounds of a loop nest are at different elements, adding one axis. */
const rowMajor: Obligation = {
  id: "rewrites/in_place/row_major",
  statement:
    "Row-major order gives different places to different indices: what an identity access reads in one round, no other round writes in its place.",
  clause: "SEMANTICS §7",
  logic: "QF_NIA",
  scope: { kind: "rewrite", rewrite: "in_place", format: "any" },
  tier: "everyday",
  declarations: ["e", "q", "r", "q2", "r2"].map((name) => `(declare-const ${name} Int)`).join("\n"),
  hypotheses: [{ name: "within", formula: "(and (<= 0 r) (< r e) (<= 0 r2) (< r2 e))" }],
  goal: "(=> (= (+ (* q e) r) (+ (* q2 e) r2)) (and (= q q2) (= r r2)))",
  rlimit: 2_000_000,
  requiredCore: ["within"],
  mutants: [
    {
      name: "longer_axis",
      fault: "the axis is longer than the stride of the one before it.",
      without: ["within"],
      instead: [{ name: "small", formula: "(and (<= 0 q q2 4) (<= 0 r 4) (<= 0 r2 4) (<= 1 e 4))" }],
      ask: ["e", "q", "r", "q2", "r2"],
      execute: walkedOver,
    },
  ],
  dependsOn: [],
  metaArgument:
    "Induction over the axes: q is the place by the axes before, which tells their indices apart, and e the extent of the next axis.",
};

/** Makes a map that reads with the model's stride, so that the engine's layout keeps it off its operand. */
function walkedOver(model: Model): Execution {
  const [e = 0, q = 0, r = 0, q2 = 0, r2 = 0] = ["e", "q", "r", "q2", "r2"].map((name) =>
    numberIn(model, name),
  );
  const shape = [Math.max(q, q2) + 1, Math.max(r, r2) + 1];
  const size = sizeOf(shape);
  const strides = [e, 1];
  const access = { offset: 0, strides, indirections: [] };
  const walking: MapInstruction = { ...made(size, 3), shape, reads: [{ value: 1, ...access }] };
  const program: LoopProgram = { ...programOf([made(size, 2), walking], size), results: [2] };
  const ran = ranAt(
    program,
    [0, 0],
    `a map over ${shape.join(" × ")} with strides ${strides.join(", ")} in the place of its operand`,
  );
  return { ...ran, showsFault: ran.showsFault && !isIdentity(access, shape) };
}

/** States what holds of memory in every plan. */
export const anyPlanObligations: readonly Obligation[] = [anyPlan, rowMajor];
