import type { OperatorName } from "../../../spec/composites/index.ts";
import type {
  Description,
  LoadedProgram,
  ProgramAnswer,
  ProgramCall,
  ProgramDescription,
  ProgramEngine,
  ProgramGenerator,
  ProgramReply,
} from "../../../spec/contract/index.ts";
import {
  operatorsOfProgram,
  type Program,
  type StatementKind,
  statementKinds,
  statementsOf,
} from "../../../spec/programs/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../../spec/wire/index.ts";
import { answerOf, filled, readAll } from "./answer.ts";
import type { EagerLibrary, Place } from "./library.ts";
import type { Shaped } from "./program_access.ts";
import { type ProgramLeft, ProgramRun } from "./program_run.ts";
import { memoryOperators, Workbench } from "./workbench.ts";

/**
 * Makes an eager library run programs with memory, statement by statement, with its own tensors and
 * derivatives. A location stands for another tensor after each write, as users of such libraries write it.
 */
export function eagerPrograms<T>(library: EagerLibrary<T>, description: Description): ProgramEngine {
  const statements = statementsFor(library, description);
  const programs: ProgramDescription = { statements, aliases: true, draws: "state" };
  return {
    describePrograms: () => programs,
    async loadProgram(program, dtype) {
      const reason = lackingFor(description, programs, program, dtype);
      return reason === undefined
        ? { kind: "result", value: new Session(library, description, program, dtype) }
        : { kind: "unsupported", reason };
    },
  };
}

/** What a write under a mask means has these. */
const maskOperators: readonly OperatorName[] = ["where", "full"];

/** What a write of a row's elements under a mask means has these. */
const scatterOperators: readonly OperatorName[] = [
  ...maskOperators,
  ...(["cumulative_sum", "subtract", "multiply", "concat", "reshape"] as const),
];

/** Returns the statements for which the library has what they need. */
function statementsFor<T>({ nests }: EagerLibrary<T>, { operators, modes }: Description): StatementKind[] {
  const hasMemory = memoryOperators.every((op) => operators.includes(op));
  const needs: { readonly [K in StatementKind]?: boolean } = {
    buffer: hasMemory,
    view: hasMemory,
    write: hasMemory,
    update: hasMemory,
    write_rows: hasMemory,
    write_where: hasMemory && maskOperators.every((op) => operators.includes(op)),
    write_scatter: hasMemory && scatterOperators.every((op) => operators.includes(op)),
    index: hasMemory,
    release: hasMemory,
    detach: operators.includes("stop_gradient"),
    custom: hasMemory && operators.includes("stop_gradient") && operators.includes("subtract"),
    hook: operators.includes("stop_gradient") && operators.includes("subtract"),
    no_grad: operators.includes("stop_gradient"),
    retain: operators.includes("add"),
    differentiate: nests === true && modes.includes("vjp"),
    differentiate_call: hasMemory && nests === true && modes.includes("vjp"),
    checkpoint: false,
  };
  return statementKinds.filter((kind) => needs[kind] ?? true);
}

function lackingFor(
  { dtypes, operators }: Description,
  { statements }: ProgramDescription,
  program: Program,
  dtype: DataType,
): string | undefined {
  if (!dtypes.includes(dtype)) return `no ${dtype}`;
  const statement = statementsOf(program).find(({ do: kind }) => !statements.includes(kind));
  if (statement !== undefined) return `no statement ${statement.do}`;
  const op = operatorsOfProgram(program).find((name) => !operators.includes(name));
  return op === undefined ? undefined : `no operator ${op}`;
}

/** Between calls the persistent locations and the generator have these contents. */
interface Held<T> {
  readonly state: readonly Place<T>[];
  readonly generator: ProgramGenerator;
}

/** A call has left these numbers and tensors. */
interface Called<T> {
  readonly answer: ProgramAnswer;
  readonly left: ProgramLeft<T>;
}

/** Runs calls of a program, and owns its locations in between; a call without a result changes nothing. */
class Session<T> implements LoadedProgram {
  readonly #library: EagerLibrary<T>;
  readonly #description: Description;
  readonly #program: Program;
  readonly #dtype: DataType;
  #held: Held<T> | undefined;

  constructor(library: EagerLibrary<T>, description: Description, program: Program, dtype: DataType) {
    this.#library = library;
    this.#description = description;
    this.#program = program;
    this.#dtype = dtype;
  }

  async call(call: ProgramCall): Promise<ProgramReply<ProgramAnswer>> {
    if (!this.#description.modes.includes(call.mode))
      return { kind: "unsupported", reason: `no mode ${call.mode}` };
    return answerOf(this.#library, async () => {
      const held = this.#begun(call);
      const bench = this.#bench(call);
      try {
        const { answer, left } = await this.#called(call, held, bench);
        this.#keep(held, answer, left);
        return answer;
      } finally {
        bench.close();
        if (held.state !== this.#held?.state) for (const place of held.state) place.dispose();
      }
    });
  }

  async unload(): Promise<void> {
    for (const place of this.#held?.state ?? []) place.dispose();
    this.#held = undefined;
  }

  /** Returns what the call finds: what it begins with, or what the last one left. */
  #begun({ session }: ProgramCall): Held<T> {
    const held =
      session === undefined
        ? this.#held
        : { state: session.state.map((flat) => this.#placed(flat)), generator: session.generator };
    if (held === undefined) throw new Error("no call has begun a session");
    return held;
  }

  #placed(flat: FlatTensor): Place<T> {
    const tensor = (): T => this.#library.tensor(flat, this.#dtype);
    return (
      this.#library.place?.(tensor()) ??
      new Numbers(flat, (given) => this.#library.tensor(given, this.#dtype))
    );
  }

  async #called(call: ProgramCall, held: Held<T>, bench: Workbench<T>): Promise<Called<T>> {
    const decisions: number[] = [];
    const left = this.#run(call, held, bench, decisions, new Map());
    const read = (shaped: readonly { readonly tensor: T }[]): Promise<FlatTensor[]> =>
      readAll(shaped, ({ tensor }) => this.#library.read(bench.shared(tensor)));
    const [results, state] = [await read(left.results), await read(left.state)];
    const sent = await read(left.sent);
    const derived = await this.#derived(call, held, left, decisions);
    const answer: ProgramAnswer = {
      results,
      state,
      sent: left.sent.map(({ channel }, i) => ({ channel, value: at(sent, i) })),
      drawn: left.drawn,
      draws: [],
      ...derived,
    };
    return { answer, left };
  }

  /** Keeps for the next call what this one left. */
  #keep(held: Held<T>, { state }: ProgramAnswer, left: ProgramLeft<T>): void {
    for (const [i, place] of held.state.entries()) place.assign(at(left.state, i).tensor, at(state, i));
    if (this.#held?.state !== held.state) for (const place of this.#held?.state ?? []) place.dispose();
    this.#held = { state: held.state, generator: { ...held.generator, drawn: left.drawn } };
  }

  #bench({ environment }: ProgramCall): Workbench<T> {
    return new Workbench(this.#library, this.#dtype, { declared: this.#program.environment, environment });
  }

  /** Runs on the arguments of the call, or on others in their place. */
  #run(
    { parameters, received }: ProgramCall,
    { state, generator: { key, drawn } }: Held<T>,
    bench: Workbench<T>,
    decisions: number[],
    taps: ReadonlyMap<number, T>,
    others?: readonly T[],
  ): ProgramLeft<T> {
    const tensors = others ?? [
      ...parameters.map((flat) => bench.tensor(flat)),
      ...state.map((place) => bench.own(place.tensor())),
    ];
    const shapes = [...parameters, ...this.#program.state].map(({ shape }) => shape);
    const given = tensors.map((tensor, i) => ({ tensor, shape: at(shapes, i) }));
    const run = new ProgramRun(bench, { program: this.#program, received, key, drawn, decisions, taps });
    return run.enter(given.slice(0, parameters.length), given.slice(parameters.length));
  }

  async #derived(
    call: ProgramCall,
    held: Held<T>,
    left: ProgramLeft<T>,
    decisions: number[],
  ): Promise<Pick<ProgramAnswer, "derivative" | "retained">> {
    switch (call.mode) {
      case "evaluate":
        return { derivative: [], retained: [] };
      case "jvp":
        return { derivative: await this.#pushed(call, held, left, decisions), retained: [] };
      case "vjp":
        return this.#pulled(call, held, left, decisions);
    }
  }

  /** Returns the tangents of results and of what the locations hold. */
  async #pushed(
    call: ProgramCall,
    held: Held<T>,
    left: ProgramLeft<T>,
    decisions: number[],
  ): Promise<FlatTensor[]> {
    const outputs = [...left.results, ...left.state];
    if (this.#library.jvp === undefined || call.tangents.length === 0)
      return outputs.map(({ shape }) => filled(shape, 0));
    if (outputs.length === 0) return [];
    const f = (given: readonly T[]): T[] =>
      this.#within(call, (bench) => {
        const owned = given.map((tensor) => bench.own(tensor));
        const { results, state } = this.#run(call, held, bench, decisions, new Map(), owned);
        return [...results, ...state];
      });
    const tangents = call.tangents.map((flat) => this.#library.tensor(flat, this.#dtype));
    const pushed = await this.#library.jvp(f, this.#inputs(call, held), tangents);
    return readAll(pushed, (tangent) => this.#library.read(tangent));
  }

  /** Returns all cotangents, retained ones by *taps*: inputs of −0 that are added to values when made. */
  async #pulled(
    call: ProgramCall,
    held: Held<T>,
    left: ProgramLeft<T>,
    decisions: number[],
  ): Promise<Pick<ProgramAnswer, "derivative" | "retained">> {
    const { seeds } = call;
    const shapes = new Map(left.retained.map(({ number, shape }) => [number, shape]));
    const numbers = [...shapes.keys()];
    const inputs = [
      ...call.parameters.map(({ shape }) => shape),
      ...this.#program.state.map(({ shape }) => shape),
    ];
    const all = [...inputs, ...shapes.values()];
    const taps = [...shapes.values()].map((shape) => this.#library.tensor(filled(shape, -0), this.#dtype));
    const f = (given: readonly T[]): T[] =>
      this.#within(call, (bench) => {
        const owned = given.map((tensor) => bench.own(tensor));
        const tapped = new Map(owned.slice(inputs.length).map((tap, i) => [at(numbers, i), tap]));
        const run = this.#run(call, held, bench, decisions, tapped, owned.slice(0, inputs.length));
        return seeds.map(({ id }) => at(run.results, id));
      });
    const isAsked = this.#library.vjp !== undefined && seeds.length > 0 && all.length > 0;
    const cotangents = isAsked
      ? await this.#library.vjp?.(
          f,
          [...this.#inputs(call, held), ...taps],
          seeds.map(({ cotangent }) => this.#library.tensor(cotangent, this.#dtype)),
        )
      : undefined;
    const pulled = await readAll(all, async (shape, i) => {
      const cotangent = cotangents?.[i];
      return cotangent === undefined || cotangent === null ? filled(shape, 0) : this.#library.read(cotangent);
    });
    const retained = left.retained.map(({ number }) => at(pulled, inputs.length + numbers.indexOf(number)));
    return { derivative: pulled.slice(0, inputs.length), retained };
  }

  /** Returns the arguments of the call, and what the locations hold. */
  #inputs({ parameters }: ProgramCall, { state }: Held<T>): T[] {
    return [
      ...parameters.map((flat) => this.#library.tensor(flat, this.#dtype)),
      ...state.map((place) => place.tensor()),
    ];
  }

  /** Returns what `body` makes on a workbench of its own, and frees the rest. */
  #within(call: ProgramCall, body: (bench: Workbench<T>) => readonly Shaped<T>[]): T[] {
    const bench = this.#bench(call);
    try {
      return body(bench).map(({ tensor }) => bench.shared(tensor));
    } finally {
      bench.close();
    }
  }
}

/** A place in libraries that have none: the numbers themselves. */
class Numbers<T> implements Place<T> {
  #flat: FlatTensor;
  readonly #made: (flat: FlatTensor) => T;

  constructor(flat: FlatTensor, made: (flat: FlatTensor) => T) {
    this.#flat = flat;
    this.#made = made;
  }

  tensor(): T {
    return this.#made(this.#flat);
  }

  assign(_: T, flat: FlatTensor): void {
    this.#flat = flat;
  }

  dispose(): void {}
}
