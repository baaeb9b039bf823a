import { at, integerAt, type Shape, sizeOf } from "../../../../spec/shapes/index.ts";
import { applicationsOf, type ScalarFunction } from "../expression.ts";
import { lastReaders } from "../liveness.ts";
import {
  type Body,
  bodiesOf,
  eachOperand,
  type Instruction,
  type LoopProgram,
  type MapInstruction,
  type Read,
  shapeOfValue,
  type ValueId,
} from "../program.ts";
import { withBodies } from "./bodies.ts";
import { isReadThrough, type Producer, wholeProducer } from "./composition.ts";
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
  const instructions: Instruction[] = [];
  /** Answers so far, by value: `null` for what stays. */
  const answers = new Array<Replacement | null | undefined>(count + program.instructions.length);
  /** The most applications that the expression of a value may have, where it has been changed. */
  const most = new Map<ValueId, number>();
  const replacementAt = ({ value }: Read): Replacement | undefined => {
    let answer = answers[value];
    if (answer === undefined) {
      answer = value < count ? null : (replacementOf(value) ?? null);
      answers[value] = answer;
    }
    return answer ?? undefined;
  };
  const replacementOf = (value: ValueId): Replacement | undefined => {
    const map = at(instructions, value - count);
    if (map.kind !== "map" || readers.isWhole[value] === 1 || keepsAlive(map, value - count))
      return undefined;
    const producer = replacingProducer(map, value, readers);
    return producer && { producer, applications: most.get(value) ?? applicationsOf(map.expression).length };
  };
  let fired = 0;
  const change = (body: Body, extents: Shape): Body => {
    if (!body.reads.some(replacementAt)) return body;
    const own = applicationsOf(body.expression).length;
    const step = inlined(body, extents, own, replacementAt, limits);
    if (step.fired === 0) return body;
    fired += step.fired;
    most.set(count + instructions.length, step.applications);
    return step.body;
  };
  for (const before of program.instructions)
    instructions.push(isConsumer(before) ? withBodies(before, change) : before);
  return rewritten(program, instructions, fired);
}

/** Operands of more elements are not kept alive across loops to save a map. */
const mostKept = 4096;

/**
 * Says whether fusing a map would keep more alive than the map while other loops run: operands that nothing
 * else reads so late would live until its readers are done.
 */
function longerLives(program: LoopProgram, isFrugal: boolean): (map: MapInstruction, n: number) => boolean {
  const count = program.sources.length;
  const last = lastReaders(program);
  const othersBefore = new Int32Array(program.instructions.length + 1);
  for (let n = 0; n < program.instructions.length; n++) {
    const { kind } = at(program.instructions, n);
    othersBefore[n + 1] = integerAt(othersBefore, n) + (kind === "map" ? 0 : 1);
  }
  return ({ shape, reads }, n) => {
    const end = Math.min(integerAt(last, count + n), program.instructions.length);
    if (!isFrugal && othersBefore[end] === othersBefore[n + 1]) return false;
    let kept = -sizeOf(shape);
    for (let place = 0; place < reads.length; place++) {
      const { value } = at(reads, place);
      if (value < count || integerAt(last, value) >= end || isReadBefore(value, reads, place)) continue;
      kept += sizeOf(shapeOfValue(program, value));
    }
    return kept > (isFrugal ? 0 : mostKept);
  };
}

function isReadBefore(value: ValueId, reads: readonly Read[], place: number): boolean {
  for (let n = 0; n < place; n++) if (at(reads, n).value === value) return true;
  return false;
}

/** Who reads the values of a program. */
interface Readers {
  readonly program: LoopProgram;
  /** The numbers of the instructions that read the value `v`, as often as they do: from … to of `ends[v]`. */
  readonly list: Int32Array;
  readonly ends: Int32Array;
  /** Is 1 for a value that something needs as a whole: a result, or what is no read of a loop. */
  readonly isWhole: Uint8Array;
}

function readersOf(program: LoopProgram): Readers {
  const { sources, instructions, results } = program;
  const count = sources.length + instructions.length;
  const isWhole = new Uint8Array(count);
  const mark = (value: ValueId): void => {
    isWhole[value] = 1;
  };
  results.forEach(mark);
  const ends = new Int32Array(count + 1);
  const counted = (value: ValueId): void => {
    ends[value + 1] = integerAt(ends, value + 1) + 1;
  };
  for (const instruction of instructions) {
    if (instruction.kind === "routine") instruction.operands.forEach(mark);
    if (instruction.kind === "scatter" && instruction.base !== undefined) mark(instruction.base);
    eachOperand(instruction, counted);
  }
  for (let value = 0; value < count; value++)
    ends[value + 1] = integerAt(ends, value + 1) + integerAt(ends, value);
  const list = new Int32Array(integerAt(ends, count));
  const next = ends.slice();
  let n = 0;
  const enter = (value: ValueId): void => {
    const place = integerAt(next, value);
    list[place] = n;
    next[value] = place + 1;
  };
  for (; n < instructions.length; n++) eachOperand(at(instructions, n), enter);
  return { program, list, ends, isWhole };
}

/** A read with the loop it is in. */
interface Reader {
  readonly read: Read;
  readonly body: Body;
  readonly extents: Shape;
  readonly isFold: boolean;
}

/** Lists the reads of a value in loops, in the order of the instructions. */
function readsOf(value: ValueId, { program, list, ends }: Readers): readonly Reader[] {
  const found: Reader[] = [];
  let last = -1;
  for (let place = integerAt(ends, value); place < integerAt(ends, value + 1); place++) {
    const n = integerAt(list, place);
    if (n === last) continue;
    last = n;
    const instruction = at(program.instructions, n);
    const isFold = instruction.kind === "fold";
    const look = (body: Body, extents: Shape): void => {
      for (const read of body.reads) if (read.value === value) found.push({ read, body, extents, isFold });
    };
    if (instruction.kind === "map") look(instruction, instruction.shape);
    else for (const { body, extents } of bodiesOf(instruction)) look(body, extents);
  }
  return found;
}

/** Returns the producer of a map's elements, if computing them where they are read pays and can be done. */
function replacingProducer(map: MapInstruction, value: ValueId, readers: Readers): Producer | undefined {
  const loops = readsOf(value, readers);
  if (!pays(map, map.shape, loops)) return undefined;
  const producer = wholeProducer(map, map.shape);
  return loops.every(({ read, extents }) => isReadThrough(producer, read, extents)) ? producer : undefined;
}

/** These are the costs of reading or writing an element, and of a loop, in additions. */
const transfer = 2;
const loop = 16;

function pays(producer: Body, shape: Shape, readers: readonly Reader[]): boolean {
  const size = sizeOf(shape);
  let evaluations = 0;
  let isRepeatedInFold = false;
  for (const { extents, isFold } of readers) {
    const times = sizeOf(extents);
    evaluations += times;
    if (isFold && times > size) isRepeatedInFold = true;
  }
  if (evaluations <= size) return true;
  if (isRepeatedInFold) return false;
  const work = applicationsOf(producer.expression).reduce((sum, part) => sum + weightOf(part.function), 0);
  if (!Number.isFinite(work)) return false;
  let transfers = 0;
  for (const { extents, body } of readers) {
    const isNew = ({ value }: Read): boolean => body.reads.every((read) => read.value !== value);
    transfers += sizeOf(extents) * producer.reads.filter(isNew).length;
  }
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
