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
 * `program` where maps are computed inside the loops that `isConsumer` names, if that pays for all of their readers (else the map is
 * computed anyway). It pays if it is computed no oftener than before; or if it is cheap: without a function that costs more than
 * arithmetic, and all its additional computations cost less than writing and reading it. In a fold it is never computed oftener, so that
 * the operands of products of matrices stay what they are. What a result is, or a routine or a scatter starts from, stays; and a map
 * whose operands would have to be kept in its place across other loops, if they are more than it is: a sum of many products. A frugal
 * fusion does not even keep them across maps.
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

/** More elements than this are not kept alive across loops to save a map. */
const mostKept = 4096;

/**
 * Whether fusing a map would keep more alive than the map does, while other loops run: operands that nothing else reads so long would live
 * until its readers are done.
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

/** Who reads each value; `undefined` stands for a reader that needs the value itself. */
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

/** What a read or a write of an element costs, beside an addition; and a loop, however short. */
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

/** How much an application costs beside an addition; what is computed by polynomials is never worth doing twice. */
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
