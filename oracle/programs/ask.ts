import type {
  Engine,
  LoadedProgram,
  ProgramAnswer,
  ProgramCall,
  ProgramMode,
  ProgramReply,
} from "../../spec/contract/index.ts";
import { type EntryCall, entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import { overBudget } from "../../spec/expansion/index.ts";
import { operatorsOfProgram, statementsOf } from "../../spec/programs/index.ts";
import { fail, formatIssue, type Issue, isSameShape, ok, type Result } from "../../spec/shapes/index.ts";
import type { Refusal } from "../../spec/tapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type Truth, truthOf } from "../truth/index.ts";
import { standardOf } from "../truth/standard/index.ts";
import { type Call, type Compared, compareAnswer, type ProgramFinding } from "./answer.ts";
import { lentCall, overwritten } from "./handed.ts";
import { onesLike, type ProgramQuestion, questionOf } from "./question.ts";

/** A task is what an engine is asked about a program. */
export interface ProgramTask {
  /** This first call begins the session. */
  readonly case: ProgramCase;
  /** Later calls go on over what earlier ones left; those with seeds ask for cotangents. */
  readonly calls: readonly EntryCall[];
  /** These tangents, 1 by default, are of the parameters, then of the locations, at the first call. */
  readonly tangents?: readonly FlatTensor[];
  /** Says whether a refusal is an answer; by default it may be one. */
  readonly refuse?: Refusal;
  /** Only these are asked of what the engine offers; by default all. */
  readonly modes?: readonly ProgramMode[];
}

/** Asking leads to this. */
export type ProgramOutcome = Compared | { readonly kind: "refused"; readonly reason: string };

/**
 * Puts a program to an engine that runs programs, for values, cotangents and tangents as far as it offers
 * them, and for values once more. Each mode begins a new session and goes on with the later calls; what each
 * call leaves, its arguments among it, is compared with the truth about the graph of its run. A later call
 * is judged over the state that the engine says it has. Stops at the first disagreement; after a refusal the
 * other modes are still asked.
 */
export async function askProgram(
  engine: Engine,
  task: ProgramTask,
  dtype: DataType,
): Promise<ProgramOutcome> {
  const lacking = lackingFor(engine, task.case);
  if (lacking !== undefined) return { kind: "unsupported", reason: lacking };
  const loaded = await engine.programs?.loadProgram(task.case.program, dtype);
  if (loaded === undefined) return { kind: "unsupported", reason: "the engine runs no programs" };
  const asking = new Asking(engine, task, dtype);
  if (loaded.kind !== "result")
    return asking.withoutAnswer({ mode: "evaluate", isLater: false }, loaded, false);
  try {
    return await asking.everything(loaded.value);
  } finally {
    await loaded.value.unload();
  }
}

/** Names what the program needs and the engine does not offer; `undefined` if it may be asked. */
export function lackingFor(engine: Engine, { program }: ProgramCase): string | undefined {
  const { statements } = engine.programs?.describePrograms() ?? { statements: [] };
  const { operators } = engine.describe();
  const statement = statementsOf(program).find(({ do: kind }) => !statements.includes(kind));
  if (statement !== undefined) return `the engine does not run ${statement.do}`;
  const op = operatorsOfProgram(program).find((name) => !operators.includes(name));
  return op === undefined ? undefined : `the engine does not offer ${op}`;
}

/** A question is held with its truth, or with why its run fails or its truth takes too much. */
type Held = Result<
  { readonly question: ProgramQuestion; readonly truth: Truth },
  { readonly kind: "no run" | "no draw" | "too much"; readonly why: string }
>;

/** A judged call has what the engine's own generator drew in it. */
interface Asked {
  readonly given: ProgramCase;
  readonly draws: readonly FlatTensor[];
  readonly held: Held;
}

/** This asks one engine the calls of one program. */
class Asking {
  readonly #engine: Engine;
  readonly #task: ProgramTask;
  readonly #dtype: DataType;
  readonly #hasOwnDraws: boolean;
  /** If true, every run executes the same statements, so that it is known how often it draws. */
  readonly #isStraight: boolean;
  /** The engine's own generator drew these in the first call. */
  #draws: readonly FlatTensor[] | undefined;
  /** These questions were put already: a right engine leaves the same in each mode, which begins anew. */
  readonly #asked: Asked[] = [];

  constructor(engine: Engine, task: ProgramTask, dtype: DataType) {
    this.#engine = engine;
    this.#task = task;
    this.#dtype = dtype;
    this.#hasOwnDraws = engine.programs?.describePrograms().draws === "own";
    this.#isStraight = statementsOf(task.case.program).every(
      ({ do: kind }) => kind !== "if" && kind !== "while",
    );
  }

  async everything(program: LoadedProgram): Promise<ProgramOutcome> {
    const { modes } = this.#engine.describe();
    const wanted = this.#task.modes ?? modes;
    let outcome: ProgramOutcome = { kind: "agrees" };
    const offered = (["evaluate", "vjp", "jvp"] as const).filter(
      (mode) => modes.includes(mode) && wanted.includes(mode),
    );
    for (const mode of offered) {
      const said = await this.#session(program, mode);
      if (said.kind === "differs" || said.kind === "crashed") return said;
      outcome = graver(outcome, said);
    }
    if (!offered.includes("evaluate") || offered.length === 1) return outcome;
    return graver(outcome, await this.#again(program));
  }

  /** Asks for the values once more, so that it shows if a derivative left something else behind. */
  async #again(program: LoadedProgram): Promise<ProgramOutcome> {
    const { case: first, calls } = this.#task;
    const call = { mode: "evaluate", isLater: false } as const;
    const isLast = calls.length === 0;
    const { reply, written } = await this.#called(program, first, call);
    if (written !== undefined) return { kind: "differs", finding: written };
    if (reply.kind !== "result") return this.withoutAnswer(call, reply, isLast);
    const said = this.#compared(call, first, reply.value, isLast);
    return said.kind === "differs" ? { ...said, finding: { ...said.finding, isAgain: true } } : said;
  }

  /** Asks the calls of one session: in `vjp` those with seeds, in `jvp` the first alone. */
  async #session(program: LoadedProgram, mode: ProgramMode): Promise<ProgramOutcome> {
    const { case: first, calls } = this.#task;
    let given = first;
    let outcome: ProgramOutcome = { kind: "agrees" };
    const all: readonly (EntryCall | undefined)[] = [undefined, ...(mode === "jvp" ? [] : calls)];
    for (const [turn, next] of all.entries()) {
      if (next !== undefined) given = calledWith(given, next);
      const own = mode === "vjp" && turn > 0 && given.seeds.length === 0 ? "evaluate" : mode;
      const call = { mode: own, isLater: turn > 0 };
      const isLast = turn === calls.length;
      const { reply, written } = await this.#called(program, given, call);
      if (written !== undefined) return { kind: "differs", finding: written };
      if (reply.kind !== "result") return graver(outcome, this.withoutAnswer(call, reply, isLast));
      const compared = this.#compared(call, given, reply.value, isLast);
      if (compared.kind === "differs" || compared.kind === "crashed") return compared;
      outcome = graver(outcome, compared);
      // An engine may seed its own generator as it likes, but a session begun anew must repeat the draws.
      if (turn === 0) this.#draws ??= reply.value.draws;
      given = after(given, reply.value);
    }
    return outcome;
  }

  /** Makes a call with copies, and looks at them afterwards. */
  async #called(
    program: LoadedProgram,
    { point, program: source, generator, received, seeds }: ProgramCase,
    { mode, isLater }: Call,
  ): Promise<{ readonly reply: ProgramReply<ProgramAnswer>; readonly written: ProgramFinding | undefined }> {
    const count = entryOf(source).parameters.length;
    const call: ProgramCall = {
      mode,
      parameters: point.inputs.slice(0, count),
      environment: point.environment,
      received,
      ...(isLater ? {} : { session: { state: point.inputs.slice(count), generator } }),
      tangents: mode === "jvp" ? this.#tangents() : [],
      seeds: mode === "vjp" ? seeds : [],
    };
    const lent = lentCall(call);
    const reply = await program.call(lent);
    return { reply, written: overwritten({ mode, isLater }, call, lent) };
  }

  #tangents(): readonly FlatTensor[] {
    return this.#task.tangents ?? onesLike(this.#task.case.point.inputs);
  }

  /** Turns a reply without an answer into an outcome; if refusing is all that is right, any will do. */
  withoutAnswer(
    call: Call,
    reply: Exclude<ProgramReply<unknown>, { readonly kind: "result" }>,
    isLast: boolean,
  ): ProgramOutcome {
    const { refuse = "may" } = this.#task;
    switch (reply.kind) {
      case "unsupported":
        return { kind: "unsupported", reason: reply.reason };
      case "refused":
        if (refuse === "must" && isLast) return { kind: "agrees" };
        return refuse === "may"
          ? { kind: "refused", reason: reply.reason }
          : refusalFinding(call, `refused: ${reply.reason}`, "an answer");
      case "error":
        return refuse === "must" && isLast
          ? { kind: "agrees" }
          : { kind: "crashed", message: `error: ${reply.message}` };
      case "crashed":
        return { kind: "crashed", message: reply.message };
    }
  }

  #compared(call: Call, given: ProgramCase, answer: ProgramAnswer, isLast: boolean): ProgramOutcome {
    const odd = this.#hasOwnDraws ? this.#oddDraw(call, answer) : undefined;
    if (odd !== undefined) return { kind: "differs", finding: odd };
    const held = this.#held(given, answer.draws);
    if (held.ok) return compareAnswer(call, held.value.question, held.value.truth, answer, this.#dtype);
    const { kind, why } = held.error;
    if (kind === "too much") return { kind: "undecided", cause: why };
    if (kind === "no draw") return { kind: "differs", finding: untold(call, answer, why) };
    return this.#task.refuse === "must" && isLast
      ? refusalFinding(call, "an answer", `a refusal: ${why}`)
      : { kind: "undecided", cause: why };
  }

  /** Returns a call as a question with its truth, which is found only once. */
  #held(given: ProgramCase, draws: readonly FlatTensor[]): Held {
    const known = this.#asked.find((asked) => isSameCall(asked, { given, draws }));
    if (known !== undefined) return known.held;
    const held = this.#found(given, draws);
    this.#asked.push({ given, draws, held });
    return held;
  }

  #found(given: ProgramCase, draws: readonly FlatTensor[]): Held {
    const besides = { tangents: this.#tangents(), ...(this.#hasOwnDraws ? { draws } : {}) };
    const question = questionOf(given, besides);
    if (!question.ok) {
      const isUntold = this.#isStraight && question.error.some(({ code }) => code === "program/draws");
      return fail({ kind: isUntold ? "no draw" : "no run", why: told(question.error) });
    }
    const excess = overBudget(question.value.case.graph);
    if (excess !== undefined) return fail({ kind: "too much", why: excess.message });
    const standard = standardOf(this.#engine.describe(), this.#dtype);
    return ok({ question: question.value, truth: truthOf(question.value.case, standard) });
  }

  /** Reports a draw that no generator makes, or that differs from the same session before. */
  #oddDraw(call: Call, { draws }: ProgramAnswer): ProgramFinding | undefined {
    const found = { ...call, part: "draw", bound: "0x0p+0" } as const;
    for (const [place, { data }] of draws.entries()) {
      const element = data.findIndex((x) => !(x >= 0 && x <= 1));
      if (element >= 0)
        return { ...found, place, element, answer: `${data[element]}`, expected: "from 0 to 1" };
    }
    if (call.isLater || this.#draws === undefined) return undefined;
    const before = this.#draws;
    if (areSame(draws, before)) return undefined;
    const place = draws.findIndex((draw, i) => !isSameTensor(draw, before[i]));
    return {
      ...found,
      place: Math.max(place, 0),
      element: 0,
      answer: "another draw",
      expected: "what was drawn from the same start before",
    };
  }
}

/** Returns the next call of a session, with arguments of its own. */
function calledWith(given: ProgramCase, { parameters, received, seeds }: EntryCall): ProgramCase {
  const count = entryOf(given.program).parameters.length;
  const inputs = [...parameters, ...given.point.inputs.slice(count)];
  return { ...given, point: { ...given.point, inputs }, received, seeds };
}

/** Returns the session as the engine says that a call has left it. */
function after(given: ProgramCase, { state, drawn }: ProgramAnswer): ProgramCase {
  const count = entryOf(given.program).parameters.length;
  const inputs = [...given.point.inputs.slice(0, count), ...state];
  return { ...given, point: { ...given.point, inputs }, generator: { ...given.generator, drawn } };
}

function refusalFinding(call: Call, answer: string, expected: string): ProgramOutcome {
  const where = { ...call, part: "refusal", place: 0, element: 0, bound: "0x0p+0" } as const;
  return { kind: "differs", finding: { ...where, answer, expected } };
}

/** Reports an engine that draws by its own generator, and does not tell each draw with its shape. */
function untold(call: Call, { draws }: ProgramAnswer, why: string): ProgramFinding {
  const where = { ...call, part: "draw", place: draws.length, element: 0, bound: "0x0p+0" } as const;
  return { ...where, answer: `${draws.length} draws were told`, expected: `every draw: ${why}` };
}

function told(issues: readonly Issue[]): string {
  return issues.map(formatIssue).join("; ");
}

/** Tells whether two calls of a task begin at the same bits, so that they share one truth. */
function isSameCall(a: Pick<Asked, "given" | "draws">, b: Pick<Asked, "given" | "draws">): boolean {
  const [x, y] = [a.given, b.given];
  return (
    x.received === y.received &&
    x.seeds === y.seeds &&
    x.generator.drawn === y.generator.drawn &&
    areSame(x.point.inputs, y.point.inputs) &&
    areSame(a.draws, b.draws)
  );
}

function areSame(some: readonly FlatTensor[], others: readonly FlatTensor[]): boolean {
  return some.length === others.length && some.every((tensor, i) => isSameTensor(tensor, others[i]));
}

function isSameTensor(x: FlatTensor, y: FlatTensor | undefined): boolean {
  return (
    y !== undefined &&
    isSameShape(x.shape, y.shape) &&
    x.data.every((value, i) => Object.is(value, y.data[i]))
  );
}

const gravity: readonly ProgramOutcome["kind"][] = [
  "agrees",
  "unsupported",
  "undecided",
  "refused",
  "crashed",
  "differs",
];

/** Returns the graver of two outcomes. */
function graver(a: ProgramOutcome, b: ProgramOutcome): ProgramOutcome {
  return gravity.indexOf(b.kind) > gravity.indexOf(a.kind) ? b : a;
}
