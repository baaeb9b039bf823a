import type {
  LoadedProgram,
  ProgramAnswer,
  ProgramCall,
  ProgramEngine,
  ProgramReply,
  SessionStart,
} from "../../spec/contract/index.ts";
import { entryOf } from "../../spec/documents/index.ts";
import { type Program, pointerOfStatement, statementKinds } from "../../spec/programs/index.ts";
import { at } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { misfitOfInputs } from "../fit.ts";
import type { Parts } from "../interpretation/index.ts";
import { ProgramFault } from "./fault.ts";
import { Memory, type OverwritePolicy } from "./memory.ts";
import { Operations, OperationTable } from "./operations.ts";
import { contentsOf, Run } from "./run.ts";
import type { Progress, Runner, RunOf, Setting } from "./setting.ts";
import { type Cotangents, Tape } from "./tape.ts";
import { noTrace, type Trace } from "./trace.ts";
import type { Held, Place } from "./value.ts";

/** The parts of the engine; a mutant exchanges one. */
export interface MemoryParts {
  readonly policy: OverwritePolicy;
  readonly run: RunOf;
  readonly memory: new (policy: OverwritePolicy) => Memory;
  readonly tape: new (memory: Memory, isSingle: boolean, first?: number) => Tape;
  /** Returns where a call begins: at what it is given, or at what the last one left. */
  readonly begin: (
    given: SessionStart | undefined,
    left: SessionStart | undefined,
  ) => SessionStart | undefined;
  /** Returns what a call leaves for the next one. */
  readonly leave: (start: SessionStart, left: Left) => SessionStart;
  /** Returns what the next call finds where one has failed: what the last one `left`, however far it came. */
  readonly fail: (
    left: SessionStart | undefined,
    start: SessionStart,
    reached: Left,
  ) => SessionStart | undefined;
  /** Returns the cotangents that a sweep begins with, where one before it has failed with others. */
  readonly cotangents: (unfinished: Cotangents | undefined) => Cotangents;
  /** Adds a seed to the cotangents. */
  readonly seed: (tape: Tape, cotangents: Cotangents, slot: number, seed: Float64Array) => void;
  /** Returns what a persistent location holds at the end. */
  readonly contents: (place: Place) => FlatTensor;
}

/** A call has left these. */
interface Left {
  readonly state: readonly FlatTensor[];
  readonly drawn: number;
}

/** The parts of the engine itself. */
export const soundMemoryParts: MemoryParts = {
  policy: "copy",
  run: Run,
  memory: Memory,
  tape: Tape,
  begin: (given, left) => given ?? left,
  leave: ({ generator }, { state, drawn }) => ({ state, generator: { ...generator, drawn } }),
  fail: (left) => left,
  cotangents: () => new Map(),
  seed: (tape, cotangents, slot, seed) => tape.accumulate(cotangents, slot, seed),
  contents: contentsOf,
};

/** Makes an engine that runs programs in place with the interpreter's kernels, in float64 and float32. */
export function memoryEngine(parts: Parts, memoryParts: MemoryParts): ProgramEngine {
  const tables = {
    float64: new OperationTable("float64", parts),
    float32: new OperationTable("float32", parts),
  };
  return {
    describePrograms: () => ({ statements: statementKinds, aliases: true, draws: "state" }),
    async loadProgram(program, dtype) {
      if (dtype !== "float64" && dtype !== "float32") {
        return { kind: "unsupported", reason: `no arithmetic in ${dtype}` };
      }
      return { kind: "result", value: new Session(program, dtype === "float32", tables[dtype], memoryParts) };
    },
  };
}

/** Runs calls of a program, and owns its locations in between; a call without a result changes nothing. */
class Session implements LoadedProgram {
  readonly #program: Program;
  readonly #operations: Operations;
  readonly #isSingle: boolean;
  readonly #parts: MemoryParts;
  #left: SessionStart | undefined;
  /** The sweep that failed last had these. */
  #unfinished: Cotangents | undefined;
  #isLoaded = true;

  constructor(program: Program, isSingle: boolean, table: OperationTable, memoryParts: MemoryParts) {
    this.#program = program;
    this.#operations = new Operations(table);
    this.#isSingle = isSingle;
    this.#parts = memoryParts;
  }

  async call(call: ProgramCall): Promise<ProgramReply<ProgramAnswer>> {
    const start = this.#parts.begin(call.session, this.#left);
    if (!this.#isLoaded) return { kind: "error", message: "the program was unloaded." };
    if (start === undefined) return { kind: "error", message: "no call has begun a session." };
    const misfit = misfitOf(this.#program, call, start);
    if (misfit !== undefined) return { kind: "error", message: misfit };
    const memory = new this.#parts.memory(this.#parts.policy);
    const setting = this.#setting(call, start, memory);
    const tape = new this.#parts.tape(memory, this.#isSingle);
    const run = new this.#parts.run(setting, call.mode === "vjp" ? tape : noTrace);
    try {
      const value = this.#answer(call, start, run, tape, setting);
      this.#left = this.#parts.leave(start, value);
      return { kind: "result", value };
    } catch (problem) {
      const reached = { state: run.places.map(contentsOf), drawn: setting.progress.drawn };
      this.#left = this.#parts.fail(this.#left, start, reached);
      return replyTo(this.#program, problem);
    }
  }

  async unload(): Promise<void> {
    this.#isLoaded = false;
    this.#left = undefined;
  }

  #answer(call: ProgramCall, start: SessionStart, run: Runner, tape: Tape, setting: Setting): ProgramAnswer {
    const { mode, parameters, tangents, seeds } = call;
    const trace = mode === "vjp" ? tape : noTrace;
    const inputs = [...parameters, ...start.state].map((tensor, place) =>
      this.#input(tensor, mode === "jvp" ? at(tangents, place) : undefined, trace),
    );
    const count = parameters.length;
    const results = run.enter(inputs.slice(0, count), inputs.slice(count));
    const { places } = run;
    const cotangents = this.#parts.cotangents(this.#unfinished);
    if (mode === "vjp") {
      this.#unfinished = cotangents;
      for (const { id, cotangent } of seeds) {
        this.#parts.seed(tape, cotangents, at(results, id).slot, this.#rounded(cotangent.data));
      }
      tape.sweep(cotangents);
      this.#unfinished = undefined;
    }
    const cotangentOf = (slot: number, { shape, data }: FlatTensor): FlatTensor => ({
      shape,
      data: cotangents.get(slot)?.slice() ?? new Float64Array(data.length),
    });
    const derivative = {
      evaluate: () => [],
      jvp: () => [...results, ...places].map(tangentOf),
      vjp: () => inputs.map((input) => cotangentOf(input.slot, input)),
    }[mode]();
    return {
      results: results.map(({ shape, data }) => ({ shape, data: data.slice() })),
      state: places.map(this.#parts.contents),
      sent: setting.progress.sent,
      drawn: setting.progress.drawn,
      draws: [],
      derivative,
      retained: tape.retained.map(({ slot, value }) => cotangentOf(slot, value)),
    };
  }

  #setting(call: ProgramCall, { generator }: SessionStart, memory: Memory): Setting {
    const progress: Progress = {
      statements: 0,
      elements: 0,
      drawn: generator.drawn,
      received: new Map(),
      sent: [],
    };
    return {
      runOf: this.#parts.run,
      program: this.#program,
      operations: this.#operations,
      memory,
      isSingle: this.#isSingle,
      isForward: call.mode === "jvp",
      declared: new Map(this.#program.environment.map((entry) => [entry.name, entry])),
      surroundings: call.environment,
      received: call.received,
      key: generator.key,
      progress,
    };
  }

  #input(given: FlatTensor, tangent: FlatTensor | undefined, trace: Trace): Held {
    const value = { shape: given.shape, data: this.#rounded(given.data) };
    return {
      ...value,
      tangent: tangent && this.#rounded(tangent.data),
      slot: trace.input(value),
      seen: undefined,
    };
  }

  #rounded(data: Float64Array): Float64Array {
    return this.#isSingle ? data.map(Math.fround) : data.slice();
  }
}

function tangentOf({ shape, data, tangent }: Pick<Held, "shape" | "data" | "tangent">): FlatTensor {
  return { shape, data: tangent?.slice() ?? new Float64Array(data.length) };
}

/** Says what of a call does not fit the program. */
function misfitOf(program: Program, call: ProgramCall, { state }: SessionStart): string | undefined {
  const { parameters, results } = entryOf(program);
  const inputs = [...parameters, ...program.state];
  const misfit = misfitOfInputs(inputs, [...call.parameters, ...state], "value");
  if (misfit !== undefined) return misfit;
  if (call.mode === "jvp") return misfitOfInputs(inputs, call.tangents, "tangent");
  const seeded = call.seeds.map(({ id }) => results[id]);
  const stray = seeded.indexOf(undefined);
  if (stray >= 0) return `there is no result ${call.seeds[stray]?.id} to seed.`;
  const seeds = call.seeds.map(({ cotangent }) => cotangent);
  return misfitOfInputs(
    seeded.flatMap((result) => (result === undefined ? [] : [result])),
    seeds,
    "seed",
  );
}

/** Turns a fault, with its statement's place, or a broken invariant into a reply: engines never reject. */
function replyTo(program: Program, problem: unknown): ProgramReply<never> {
  if (!(problem instanceof ProgramFault)) return { kind: "crashed", message: String(problem) };
  const { kind, message, statement } = problem;
  const pointer = statement === undefined ? "" : pointerOfStatement(program, statement);
  const told = pointer === "" ? message : `${pointer}: ${message}`;
  return kind === "refused" ? { kind, reason: told } : { kind, message: told };
}
