import { at, integerAt, type Shape, sizeOf } from "../../../../spec/shapes/index.ts";
import { applicationsOf, type ScalarFunction } from "../expression.ts";
import { lastReaders } from "../liveness.ts";
import {
  type Body,
  bodiesOf,
  type Instruction,
  type LoopProgram,
  operandsOf,
  type Read,
  shapeOfValue,
} from "../program.ts";
import { withBodies } from "./bodies.ts";
import { readsThrough, wholeProducer } from "./composition.ts";
import { type BodyLimits, inlined, type Replacement } from "./inlining.ts";
import { type Rewritten, rewritten } from "./rewritten.ts";

/** The limits on fused bodies. */
const limits: BodyLimits = { reads: 24, applications: 200 };

/**
 * Computes maps inside the loops that `isConsumer` accepts, if that pays for all of their readers. It pays if
 * nothing is computed more often, or if the map is cheap: arithmetic only, whose repetition costs less than
 * writing and reading the map. Folds never repeat a map, so that operands of matrix products stay as they
 * are. Results and operands of routines and scatters stay; so does a map whose operands take more room than
 * itself and would have to outlive other loops. Frugal fusion does not even let them outlive maps.
 * Cost: linear in the parts of bodies.
 */
export function fused(
  program: LoopProgram,
  isConsumer: (instruction: Instruction) => boolean,
  isFrugal: boolean,
): Rewritten {
  const count = program.sources.length;
  const readers = readersOf(program);
  const keepsAlive = longerLives(program, isFrugal);
  const replacements: (Replacement | undefined)[] = program.sources.map(() => undefined);
  let fired = 0;
  const instructions = program.instructions.map((before, n) => {
    let applications = 0;
    const instruction = withBodies(before, (body, extents) => {
      applications = applicationsOf(body.expression).length;
      if (!isConsumer(before)) return body;
      const step = inlined(body, extents, applications, ({ value }) => replacements[value], limits);
      fired += step.fired;
      applications = step.applications;
      return step.body;
    });
    const isAlive = keepsAlive(instruction, n);
    replacements.push(isAlive ? undefined : replacementOf(instruction, at(readers, count + n), applications));
    return instruction;
  });
  return rewritten(program, instructions, fired);
}

/** Operands of more elements are not kept alive across loops to save a map. */
const mostKept = 4096;

/**
 * Says whether fusing a map would keep more alive than the map while other loops run: operands that nothing
 * else reads so late would live until its readers are done.
 */
function longerLives(
  program: LoopProgram,
  isFrugal: boolean,
): (instruction: Instruction, n: number) => boolean {
  const count = program.sources.length;
  const last = lastReaders(program);
  const othersBefore = new Int32Array(program.instructions.length + 1);
  for (const [n, { kind }] of program.instructions.entries())
    othersBefore[n + 1] = integerAt(othersBefore, n) + (kind === "map" ? 0 : 1);
  return (instruction, n) => {
    const end = Math.min(integerAt(last, count + n), program.instructions.length);
    if (!isFrugal && othersBefore[end] === othersBefore[n + 1]) return false;
    let kept = -sizeOf(instruction.shape);
    for (const value of new Set(operandsOf(instruction)))
      if (value >= count && integerAt(last, value) < end) kept += sizeOf(shapeOfValue(program, value));
    return kept > (isFrugal ? 0 : mostKept);
  };
}

/** A read with the loop it is in. */
interface Reader {
  readonly read: Read;
  readonly body: Body;
  readonly extents: Shape;
  readonly isFold: boolean;
}

/** Lists who reads each value; `undefined` stands for a reader that needs the value itself. */
function readersOf(program: LoopProgram): readonly (readonly (Reader | undefined)[])[] {
  const readers: (Reader | undefined)[][] = [...program.sources, ...program.instructions].map(() => []);
  for (const result of program.results) readers[result]?.push(undefined);
  for (const instruction of program.instructions) {
    const isFold = instruction.kind === "fold";
    for (const { extents, body } of bodiesOf(instruction))
      for (const read of body.reads) readers[read.value]?.push({ read, body, extents, isFold });
    if (instruction.kind === "routine")
      for (const operand of operandsOf(instruction)) readers[operand]?.push(undefined);
    if (instruction.kind === "scatter" && instruction.base !== undefined)
      readers[instruction.base]?.push(undefined);
  }
  return readers;
}

function replacementOf(
  instruction: Instruction,
  readers: readonly (Reader | undefined)[],
  applications: number,
): Replacement | undefined {
  if (instruction.kind !== "map") return undefined;
  const loops = readers.filter((reader) => reader !== undefined);
  if (loops.length < readers.length || !pays(instruction, instruction.shape, loops)) return undefined;
  const producer = wholeProducer(instruction, instruction.shape);
  return loops.every(({ read, extents }) => readsThrough(producer, read, extents) !== undefined)
    ? { producer, applications }
    : undefined;
}

/** These are the costs of reading or writing an element, and of a loop, in additions. */
const transfer = 2;
const loop = 16;

function pays(producer: Body, shape: Shape, readers: readonly Reader[]): boolean {
  const size = sizeOf(shape);
  let evaluations = 0;
  let transfers = 0;
  let isRepeatedInFold = false;
  for (const reader of readers) {
    const times = sizeOf(reader.extents);
    evaluations += times;
    if (reader.isFold && times > size) isRepeatedInFold = true;
    const known = new Set(reader.body.reads.map(({ value }) => value));
    transfers += times * producer.reads.filter(({ value }) => !known.has(value)).length;
  }
  if (evaluations <= size) return true;
  if (isRepeatedInFold) return false;
  const work = applicationsOf(producer.expression).reduce((sum, part) => sum + weightOf(part.function), 0);
  if (!Number.isFinite(work)) return false;
  const apart = loop + size * (work + transfer * (producer.reads.length + 1)) + evaluations * transfer;
  return evaluations * work + transfers * transfer <= apart;
}

/** Returns the cost in additions; functions that are computed by polynomials are never worth repeating. */
function weightOf(name: ScalarFunction): number {
  if (name === "divide" || name === "sqrt") return 8;
  return arithmetic.has(name) ? 1 : Number.POSITIVE_INFINITY;
}

const arithmetic: ReadonlySet<ScalarFunction> = new Set<ScalarFunction>([
  "negative",
  "floor",
  "add",
  "subtract",
  "multiply",
  "less",
  "equal",
  "select",
  "multiply_add",
]);
