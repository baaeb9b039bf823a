import type {
  DataType,
  Engine,
  LoadedProgram,
  ProgramAnswer,
  ProgramCall,
  ProgramMode,
  ProgramReply,
} from "../../engines/index.ts";
import {
  entryOf,
  type FlatTensor,
  fail,
  formatIssue,
  isSameShape,
  ok,
  operatorsOfProgram,
  overBudget,
  type ProgramCase,
  type Result,
  statementsOf,
} from "../../spec/index.ts";
import { standardOf, type Truth, truthOf } from "../truth/index.ts";
import { type Call, type Compared, compareAnswer, type ProgramFinding } from "./answer.ts";
import { onesLike, type ProgramQuestion, questionOf } from "./question.ts";

/** What asking led to. */
export type ProgramOutcome = Compared | { readonly kind: "refused"; readonly reason: string };

/** How the calls of a program are judged. */
export interface AskOptions {
  readonly dtype: DataType;
  /** Of the parameters, then of the persistent locations; 1 unless told. */
  readonly tangents?: readonly FlatTensor[];
}

/**
 * Puts a program to an engine that runs programs: it is called for its values, once more over what that call has left, then for cotangents, then for
 * tangents, each time with a session that begins anew, and every answer is compared with the truth about the graph of the run. Stops at the first
 * disagreement; a refusal is an answer, and the other calls are made all the same.
 */
export async function askProgram(
  engine: Engine,
  question: ProgramCase,
  options: AskOptions,
): Promise<ProgramOutcome> {
  const lacking = lackingFor(engine, question);
  if (lacking !== undefined) return { kind: "unsupported", reason: lacking };
  const loaded = await engine.programs?.loadProgram(question.program, options.dtype);
  if (loaded === undefined) return { kind: "unsupported", reason: "the engine runs no programs" };
  if (loaded.kind !== "result") return outcomeOf(loaded);
  try {
    return await new Asking(engine, question, options, loaded.value).everything();
  } finally {
    await loaded.value.unload();
  }
}

/** What of the program the engine does not offer. */
function lackingFor(engine: Engine, { program }: ProgramCase): string | undefined {
  const { statements } = engine.programs?.describePrograms() ?? { statements: [] };
  const { operators } = engine.describe();
  const statement = statementsOf(program).find(({ do: kind }) => !statements.includes(kind));
  if (statement !== undefined) return `the engine does not run ${statement.do}`;
  const op = operatorsOfProgram(program).find((name) => !operators.includes(name));
  return op === undefined ? undefined : `the engine does not offer ${op}`;
}

/** A question with the truth about it; or what is to be said where there is none. */
type Held = Result<{ readonly question: ProgramQuestion; readonly truth: Truth }, ProgramOutcome>;

/** The calls of one program, in front of one engine. */
class Asking {
  readonly #engine: Engine;
  readonly #question: ProgramCase;
  readonly #options: AskOptions;
  readonly #program: LoadedProgram;
  /** What an engine's own generator has drawn in the first call. */
  #draws: readonly FlatTensor[] | undefined;
  /** What the calls that begin a session are about: all of them the same. */
  #begun: Held | undefined;

  constructor(engine: Engine, question: ProgramCase, options: AskOptions, program: LoadedProgram) {
    this.#engine = engine;
    this.#question = question;
    this.#options = options;
    this.#program = program;
  }

  async everything(): Promise<ProgramOutcome> {
    const { modes } = this.#engine.describe();
    let outcome: ProgramOutcome = { kind: "agrees" };
    const offered = (["evaluate", "vjp", "jvp"] as const).filter((mode) => modes.includes(mode));
    for (const mode of offered) {
      const said = await this.#asked(mode);
      if (said.kind === "differs" || said.kind === "crashed") return said;
      outcome = graver(outcome, said);
    }
    return outcome;
  }

  /** A call that begins a session; a first one is followed by one that goes on with it. */
  async #asked(mode: ProgramMode): Promise<ProgramOutcome> {
    const reply = await this.#called(this.#question, mode, true);
    if (reply.kind !== "result") return outcomeOf(reply);
    const compared = this.#compared({ mode, isLater: false }, this.#question, reply.value);
    if (mode !== "evaluate" || compared.kind !== "agrees") return compared;
    this.#draws = reply.value.draws;
    const after = laterCase(this.#question, reply.value);
    const later = await this.#called(after, mode, false);
    return later.kind === "result"
      ? this.#compared({ mode, isLater: true }, after, later.value)
      : outcomeOf(later);
  }

  #called(
    { point, program, generator, received, seeds }: ProgramCase,
    mode: ProgramMode,
    isAnew: boolean,
  ): Promise<ProgramReply<ProgramAnswer>> {
    const count = entryOf(program).parameters.length;
    const call: ProgramCall = {
      mode,
      parameters: point.inputs.slice(0, count),
      environment: point.environment,
      received,
      ...(isAnew ? { session: { state: point.inputs.slice(count), generator } } : {}),
      tangents: mode === "jvp" ? this.#tangents() : [],
      seeds: mode === "vjp" ? seeds : [],
    };
    return this.#program.call(call);
  }

  #tangents(): readonly FlatTensor[] {
    return this.#options.tangents ?? onesLike(this.#question.point.inputs);
  }

  #compared(call: Call, given: ProgramCase, answer: ProgramAnswer): ProgramOutcome {
    const isOwn = this.#engine.programs?.describePrograms().draws === "own";
    const odd = isOwn ? this.#oddDraw(call, answer) : undefined;
    if (odd !== undefined) return { kind: "differs", finding: odd };
    const held =
      (call.isLater ? undefined : this.#begun) ?? this.#held(given, isOwn ? answer.draws : undefined);
    if (!call.isLater) this.#begun = held;
    if (!held.ok) return held.error;
    return compareAnswer(call, held.value.question, held.value.truth, answer);
  }

  /** A call as a question, and the truth about it; or why there is none. */
  #held(given: ProgramCase, draws: readonly FlatTensor[] | undefined): Held {
    const question = questionOf(given, { tangents: this.#tangents(), ...(draws && { draws }) });
    // Where the reference has no run, the engine should have none: but what it says is not looked at.
    if (!question.ok) return fail({ kind: "undecided", cause: question.error.map(formatIssue).join("; ") });
    const excess = overBudget(question.value.case.graph);
    if (excess !== undefined)
      return fail({ kind: "unsupported", reason: `${excess.message} Hint: ${excess.hint}` });
    const standard = standardOf(this.#engine.describe(), this.#options.dtype);
    return ok({ question: question.value, truth: truthOf(question.value.case, standard) });
  }

  /** A draw that no generator makes; or, of a session begun anew, another one than before. */
  #oddDraw(call: Call, { draws }: ProgramAnswer): ProgramFinding | undefined {
    const told = { ...call, part: "draw", bound: "0x0p+0" } as const;
    for (const [place, { data }] of draws.entries()) {
      const element = data.findIndex((x) => !(x >= 0 && x <= 1));
      if (element >= 0)
        return { ...told, place, element, answer: `${data[element]}`, expected: "from 0 to 1" };
    }
    if (call.isLater || this.#draws === undefined) return undefined;
    const before = this.#draws;
    const place = draws.findIndex((draw, i) => !isSameTensor(draw, before[i]));
    if (place < 0 && draws.length === before.length) return undefined;
    return {
      ...told,
      place: Math.max(place, 0),
      element: 0,
      answer: "another draw",
      expected: "what was drawn from the same start before",
    };
  }
}

/** The case of the next call: over what the engine says that the first has left. */
function laterCase(question: ProgramCase, { state, drawn }: ProgramAnswer): ProgramCase {
  const count = entryOf(question.program).parameters.length;
  const inputs = [...question.point.inputs.slice(0, count), ...state];
  const generator = { ...question.generator, drawn };
  return { ...question, point: { ...question.point, inputs }, generator };
}

function isSameTensor(x: FlatTensor, y: FlatTensor | undefined): boolean {
  return (
    y !== undefined &&
    isSameShape(x.shape, y.shape) &&
    x.data.every((value, i) => Object.is(value, y.data[i]))
  );
}

/** A reply that is no answer, as an outcome. */
function outcomeOf(reply: Exclude<ProgramReply<unknown>, { readonly kind: "result" }>): ProgramOutcome {
  switch (reply.kind) {
    case "unsupported":
    case "refused":
      return { kind: reply.kind, reason: reply.reason };
    case "error":
      return { kind: "crashed", message: `error: ${reply.message}` };
    case "crashed":
      return { kind: "crashed", message: reply.message };
  }
}

/** The graver of two outcomes, of which neither is a disagreement: a refusal over what was not decided. */
function graver(a: ProgramOutcome, b: ProgramOutcome): ProgramOutcome {
  const order: readonly ProgramOutcome["kind"][] = [
    "agrees",
    "unsupported",
    "undecided",
    "refused",
    "crashed",
    "differs",
  ];
  return order.indexOf(b.kind) > order.indexOf(a.kind) ? b : a;
}
