import { TOO_MUCH_RECORDED } from "../../reference/state/index.ts";
import type {
  Engine,
  LoadedProgram,
  ProgramAnswer,
  ProgramCall,
  ProgramMode,
  ProgramReply,
} from "../../spec/contract/index.ts";
import { entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import { defaultBudget, overBudget } from "../../spec/expansion/index.ts";
import { operatorsOfProgram, statementsOf } from "../../spec/programs/index.ts";
import { counted, fail, formatIssue, type Issue, ok, quote, type Result } from "../../spec/shapes/index.ts";
import type { Refusal } from "../../spec/tapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type Truth, truthOf } from "../truth/index.ts";
import { standardOf } from "../truth/standard/index.ts";
import { ANSWER_ANEW, type Call, type Compared, compareAnswer, type ProgramFinding } from "./answer.ts";
import { areSame, oddDraw, untold } from "./draws_told.ts";
import { lentCall, overwritten } from "./handed.ts";
import { onesLike, type ProgramQuestion, questionOf, ranCase } from "./question.ts";
import { overwrites } from "./refusing.ts";
import { after, calledWith, type ProgramTask, usualOf } from "./task.ts";
import { channelAskedAgain, type World, withWorld, worldAskedAgain, worldAskedOnce } from "./world.ts";

/** Asking leads to this; a refusal was needed if what it refused overwrites what its sweep needs. */
export type ProgramOutcome =
  | Compared
  | { readonly kind: "refused"; readonly reason: string; readonly isNeeded: boolean };

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
    return asking.withoutAnswer({ mode: "evaluate", isLater: false }, loaded, usualOf(task));
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

/** A call is made of a program so. */
interface Made {
  readonly call: Call;
  readonly given: ProgramCase;
}

/** What is still to be known of a call before it is made. */
interface Turn extends Made {
  /** Whether a refusal is an answer to it. */
  readonly refuse: Refusal;
  /** These calls of the session have been answered before; it begins with this one if there are none. */
  readonly answered: readonly Made[];
  /** Whether a call of the session has failed before. */
  readonly hasFailed: boolean;
}

/** A call has led to this; an answer is what the next call goes on from. */
interface Turned {
  readonly said: ProgramOutcome;
  readonly answer?: ProgramAnswer;
}

type Unanswered = Exclude<ProgramReply<unknown>, { readonly kind: "result" }>;

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
  /** If true, it is known before a call what its run receives: no draw of the engine's own decides it. */
  readonly #knowsRun: boolean;
  /** The engine's own generator drew these in the first call. */
  #draws: readonly FlatTensor[] | undefined;
  /** These questions were put already: a right engine leaves the same in each mode, which begins anew. */
  readonly #asked: Asked[] = [];

  constructor(engine: Engine, task: ProgramTask, dtype: DataType) {
    this.#engine = engine;
    this.#task = task;
    this.#dtype = dtype;
    this.#hasOwnDraws = engine.programs?.describePrograms().draws === "own";
    const kinds = new Set(statementsOf(task.case.program).map(({ do: kind }) => kind));
    this.#isStraight = !kinds.has("if") && !kinds.has("while");
    this.#knowsRun = this.#isStraight || !this.#hasOwnDraws || !kinds.has("draw");
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
    const { case: given, refuse = "may" } = this.#task;
    const call = { mode: "evaluate", isLater: false } as const;
    const { said, answer } = await this.#turn(program, {
      call,
      given,
      refuse,
      answered: [],
      hasFailed: false,
    });
    const isOther = said.kind === "differs" && answer !== undefined;
    return isOther ? { ...said, finding: { ...said.finding, isAgain: true } } : said;
  }

  /**
   * Asks the calls of one session: in `vjp` those with seeds, in `jvp` the first alone. A call that fails
   * leaves the session as it was [SEMANTICS §10.15]; if none was answered before, the next one begins it.
   */
  async #session(program: LoadedProgram, mode: ProgramMode): Promise<ProgramOutcome> {
    const { case: first, calls, refuse: firstRefuse = "may" } = this.#task;
    let given = first;
    let outcome: ProgramOutcome = { kind: "agrees" };
    const answered: Made[] = [];
    let hasFailed = false;
    for (const [turn, next] of [undefined, ...(mode === "jvp" ? [] : calls)].entries()) {
      if (next !== undefined) given = calledWith(given, next);
      const own = mode === "vjp" && turn > 0 && given.seeds.length === 0 ? "evaluate" : mode;
      const refuse = next === undefined ? firstRefuse : (next.refuse ?? usualOf(this.#task));
      const call = { mode: own, isLater: turn > 0 };
      const { said, answer } = await this.#turn(program, { call, given, refuse, answered, hasFailed });
      if (said.kind === "differs" || said.kind === "crashed") return said;
      outcome = graver(outcome, said);
      if (said.kind === "unsupported") return outcome;
      hasFailed ||= answer === undefined;
      if (answer === undefined) continue;
      answered.push({ call, given });
      // An engine may seed its own generator as it likes, but a session begun anew must repeat the draws.
      if (turn === 0) this.#draws ??= answer.draws;
      given = after(given, answer);
    }
    return outcome;
  }

  /** Makes a call of a session, and judges what comes of it. */
  async #turn(program: LoadedProgram, turn: Turn): Promise<Turned> {
    const { call, given, refuse, answered, hasFailed } = turn;
    const { once, asked } = this.#worldFor(given);
    const { reply, written } = await this.#called(program, asked, call, answered.length === 0);
    if (written !== undefined) return { said: { kind: "differs", finding: written } };
    if (reply.kind === "result")
      return { said: this.#compared(call, given, reply.value, refuse), answer: reply.value };
    const isFailure = reply.kind === "error" || reply.kind === "refused";
    if (isFailure && refuse === "may" && !ranCase(given).ok) return { said: { kind: "agrees" } };
    const said = this.withoutAnswer(call, reply, refuse, given);
    if (refuse === "must" || said.kind === "differs") return { said };
    if (reply.kind === "error" && once !== undefined) {
      const found = await this.#worldAskedAgain(program, turn, once);
      if (found !== undefined) return { said: found };
    }
    if (!(hasFailed && isFailure && (await this.#answersAnew([...answered, { call, given }]))))
      return { said };
    const why = reply.kind === "refused" ? reply.reason : reply.message;
    return { said: refusalFinding(call, `${reply.kind}: ${why.replace(/\.$/, "")}`, ANSWER_ANEW) };
  }

  #worldFor(given: ProgramCase): { readonly once: World | undefined; readonly asked: ProgramCase } {
    const once = this.#knowsRun ? worldAskedOnce(given) : undefined;
    return { once, asked: withWorld(given, once) };
  }

  /**
   * Tells whether the engine answers the calls of a session that has had no others. A compiler may refuse one
   * for what it knows of those before it, whether they failed or not.
   */
  async #answersAnew(calls: readonly Made[]): Promise<boolean> {
    const loaded = await this.#engine.programs?.loadProgram(this.#task.case.program, this.#dtype);
    if (loaded?.kind !== "result") return false;
    let isAnswered = true;
    for (const [place, { call, given }] of calls.entries()) {
      const { reply } = await this.#called(loaded.value, this.#worldFor(given).asked, call, place === 0);
      isAnswered &&= reply.kind === "result";
    }
    await loaded.value.unload();
    return isAnswered;
  }

  /** Tells of a call that fails since it asks the world more often than its program does. */
  async #worldAskedAgain(
    program: LoadedProgram,
    { call, given, refuse }: Turn,
    once: World,
  ): Promise<ProgramOutcome | undefined> {
    const answered = async (world: World): Promise<ProgramAnswer | undefined> => {
      const { reply } = await this.#called(program, withWorld(given, world), call, true);
      return reply.kind === "result" ? reply.value : undefined;
    };
    const again = worldAskedAgain(given, once);
    const answer = await answered(again);
    if (answer === undefined) return undefined;
    const said = this.#compared(call, given, answer, refuse);
    // An engine that honestly takes another branch asks otherwise.
    if (said.kind === "undecided") return said;
    const found = await channelAskedAgain(
      once,
      again,
      async (world) => (await answered(world)) !== undefined,
    );
    if (found === undefined) return undefined;
    const where = { ...call, part: "received", place: [...once.keys()].indexOf(found.channel) } as const;
    const values = counted(found.consumed, "value");
    const consumed = `${values} of ${quote(found.channel)} ${found.consumed === 1 ? "is" : "are"} consumed`;
    return {
      kind: "differs",
      finding: { ...where, element: 0, answer: consumed, expected: `${found.asked}`, bound: "0x0p+0" },
    };
  }

  /** Makes a call with copies, and looks at them afterwards. */
  async #called(
    program: LoadedProgram,
    { point, program: source, generator, received, seeds }: ProgramCase,
    { mode, isLater }: Call,
    begins: boolean,
  ): Promise<{ readonly reply: ProgramReply<ProgramAnswer>; readonly written: ProgramFinding | undefined }> {
    const count = entryOf(source).parameters.length;
    const call: ProgramCall = {
      mode,
      parameters: point.inputs.slice(0, count),
      environment: point.environment,
      received,
      ...(begins ? { session: { state: point.inputs.slice(count), generator } } : {}),
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
    reply: Unanswered,
    refuse: Refusal,
    given: ProgramCase = this.#task.case,
  ): ProgramOutcome {
    switch (reply.kind) {
      case "unsupported":
        return { kind: "unsupported", reason: reply.reason };
      case "refused":
        if (refuse === "must") return { kind: "agrees" };
        return refuse === "may"
          ? { kind: "refused", reason: reply.reason, isNeeded: overwrites(given) }
          : refusalFinding(call, `refused: ${reply.reason}`, "an answer");
      case "error":
        return refuse === "must"
          ? { kind: "agrees" }
          : { kind: "crashed", message: `error: ${reply.message}` };
      case "crashed":
        return { kind: "crashed", message: reply.message };
    }
  }

  #compared(call: Call, given: ProgramCase, answer: ProgramAnswer, refuse: Refusal): ProgramOutcome {
    const odd = this.#hasOwnDraws ? oddDraw(call, answer.draws, this.#draws) : undefined;
    if (odd !== undefined) return { kind: "differs", finding: odd };
    const held = this.#held(given, answer.draws);
    if (held.ok) return compareAnswer(call, held.value.question, held.value.truth, answer, this.#dtype);
    const { kind, why } = held.error;
    if (kind === "too much") return { kind: "undecided", cause: why };
    if (kind === "no draw") return { kind: "differs", finding: untold(call, answer, why) };
    return refuse === "must"
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
    // What has more elements in all than this is too much to evaluate, whatever its composites mean.
    const recorded = 4 * defaultBudget.elements;
    const besides = { tangents: this.#tangents(), recorded, ...(this.#hasOwnDraws ? { draws } : {}) };
    const question = questionOf(given, besides);
    if (!question.ok) {
      const excess = question.error.find(({ code }) => code === TOO_MUCH_RECORDED);
      if (excess !== undefined) return fail({ kind: "too much", why: excess.message });
      const isUntold = this.#isStraight && question.error.some(({ code }) => code === "program/draws");
      return fail({ kind: isUntold ? "no draw" : "no run", why: told(question.error) });
    }
    const excess = overBudget(question.value.case.graph);
    if (excess !== undefined) return fail({ kind: "too much", why: excess.message });
    const standard = standardOf(this.#engine.describe(), this.#dtype);
    return ok({ question: question.value, truth: truthOf(question.value.case, standard) });
  }
}

function refusalFinding(call: Call, answer: string, expected: string): ProgramOutcome {
  const where = { ...call, part: "refusal", place: 0, element: 0, bound: "0x0p+0" } as const;
  return { kind: "differs", finding: { ...where, answer, expected } };
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

const gravity: readonly ProgramOutcome["kind"][] = [
  "agrees",
  "unsupported",
  "undecided",
  "refused",
  "crashed",
  "differs",
];

/** Returns the graver of two outcomes; a refusal without need is graver than one with. */
function graver(a: ProgramOutcome, b: ProgramOutcome): ProgramOutcome {
  if (a.kind === "refused" && b.kind === "refused") return a.isNeeded ? b : a;
  return gravity.indexOf(b.kind) > gravity.indexOf(a.kind) ? b : a;
}
