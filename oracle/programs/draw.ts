import { entryOf } from "../../spec/documents/index.ts";
import { program } from "../../spec/program_builder/index.ts";
import { type Procedure, type Program, proceduresOf, statementsIn } from "../../spec/programs/index.ts";
import { nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { drawElements, oneOf, randomAt } from "../random/index.ts";
import { declareProcedures } from "./draw/procedures.ts";
import type { ProgramProfile } from "./draw/profile.ts";
import { type Failing, shapes, Writer } from "./draw/writer.ts";
import type { ProgramTask } from "./task.ts";

export { exactPrograms, floatPrograms, type ProgramProfile } from "./draw/profile.ts";

/** A drawn program has floats to run it with. */
export interface DrawnProgram {
  readonly program: Program;
  readonly parameters: readonly Numbers[];
  readonly state: readonly Numbers[];
  readonly generator: { readonly key: readonly [number, number]; readonly drawn: number };
  readonly received: ReadonlyMap<string, readonly Numbers[]>;
  /** Each result of the entry has a cotangent. */
  readonly cotangents: readonly Numbers[];
  /** These tangents are of the parameters, then of the persistent locations. */
  readonly tangents: readonly Numbers[];
}

/** A tensor has floats that are multiples of ⅛. */
export interface Numbers {
  readonly shape: Shape;
  readonly data: readonly number[];
}

/**
 * Draws the well-formed, terminating program number `index` of the campaign of `seed`. Writes overlap what
 * was read before and other views of it, in branches on values, loops, procedures on locations or copies.
 */
export function programAt(profile: ProgramProfile, seed: number, index: number): DrawnProgram {
  return drawn(profile, seed, index, "never");
}

function drawn(profile: ProgramProfile, seed: number, index: number, fails: Failing): DrawnProgram {
  const random = randomAt(seed, index);
  const used: number[] = [];
  const numbers = (shape: Shape): Numbers => ({
    shape,
    data: [...drawElements(random, sizeOf(shape), "special", used)],
  });
  const inputs = [oneOf(random, shapes), oneOf(random, shapes)];
  const stored = [oneOf(random, shapes)];
  const built = program((builder) => {
    const procedures = declareProcedures(builder, profile);
    return new Writer({ random, profile, builder, procedures }).write(inputs, stored, fails);
  });
  const place = (x: number): readonly Numbers[] => (fails === "if told" ? [{ shape: [], data: [x] }] : []);
  const world = Array.from({ length: MOST_RECEIVED }, () => numbers([2]));
  return {
    program: withoutIdle(built),
    parameters: [...inputs.map(numbers), ...place(index % 16 === 4 ? 0 : 1)],
    state: stored.map(numbers),
    generator: { key: [random.nextInt(0, 2 ** 31 - 1), random.nextInt(0, 2 ** 31 - 1)], drawn: 0 },
    received: new Map([["in", world]]),
    cotangents: entryOf(built).results.map(({ shape }) => numbers(shape)),
    tangents: [...inputs.map(numbers), ...place(1), ...stored.map(numbers)],
  };
}

/** Drops the procedures that no statement of another names, directly or through others. */
function withoutIdle(drawn: Program): Program {
  const named = new Set<string>();
  const visit = ({ body }: Procedure): void => {
    for (const called of statementsIn(body).flatMap(proceduresOf)) {
      if (named.has(called)) continue;
      named.add(called);
      const procedure = drawn.procedures.find(({ name }) => name === called);
      if (procedure !== undefined) visit(procedure);
    }
  };
  const entry = entryOf(drawn);
  visit(entry);
  return {
    ...drawn,
    procedures: [entry, ...drawn.procedures.slice(1).filter(({ name }) => named.has(name))],
  };
}

/**
 * Makes a drawn program a task: called once, and every fourth program again over what that left, since
 * another program finds more than a second call. Every second of these has a call between that fails in its
 * midst, and then a sweep from one result alone. Each {@link FAULTY}th must be refused for an error.
 */
export function taskAt(profile: ProgramProfile, seed: number, index: number): ProgramTask {
  const fails = index % FAULTY === FAULTY - 1 ? "always" : index % 8 === 4 ? "if told" : "never";
  const { parameters, state, generator, received, ...written } = drawn(profile, seed, index, fails);
  const flat = ({ shape, data }: Numbers): FlatTensor => ({ shape, data: Float64Array.from(data) });
  const question = {
    program: written.program,
    point: { inputs: [...parameters, ...state].map(flat), environment: new Map() },
    generator,
    received: new Map([...received].map(([channel, tensors]) => [channel, tensors.map(flat)])),
    seeds: written.cotangents.map((cotangent, place) => ({ id: nodeId(place), cotangent: flat(cotangent) })),
  };
  const tangents = written.tangents.map(flat);
  if (fails === "always") return { case: question, calls: [], tangents, refuse: "must" };
  const again = { parameters: parameters.map(flat), received: question.received, seeds: [] };
  if (fails === "never") return { case: question, calls: index % 4 === 0 ? [again] : [], tangents };
  const beyond = [...again.parameters.slice(0, -1), flat({ shape: [], data: [2] })];
  const failing = { ...again, parameters: beyond, seeds: question.seeds, refuse: "must" } as const;
  return { case: question, calls: [failing, { ...again, seeds: question.seeds.slice(-1) }], tangents };
}

/** One program in this many ends with an error. */
const FAULTY = 40;

/** This fuel is more than a program asks for: loops within loops have nine turns. */
const MOST_RECEIVED = 128;
