import type { Engine, ProgramMode } from "../../spec/contract/index.ts";
import { checkProgram, entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import {
  type Block,
  namesAtEnd,
  type ResultName,
  type Statement,
  type StatementOf,
  statementsIn,
} from "../../spec/programs/index.ts";
import { at, nodeId } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import type { ProgramFinding } from "./answer.ts";
import { askProgram, type ProgramTask } from "./ask.ts";
import { different, differing, ownCotangent } from "./different.ts";
import {
  calledAlone,
  counting,
  hasEnd,
  holdsAfter,
  leavingIn,
  Origins,
  readAfter,
  turnOf,
  withBody,
  withoutNoGrad,
  withoutThese,
} from "./written_out.ts";

/** The search found the first statement with which a program is answered wrongly. */
export interface FirstWrong {
  /** `undefined` if what stands before any statement is answered wrongly. */
  readonly statement: Statement | undefined;
  /** If true, the statements within it are answered rightly when they are written out in its place. */
  readonly isAround: boolean;
}

/** At most this many beginnings of a program are asked. */
const MOST_ASKED = 400;

/** So many statements are gone through one by one; of more, a first wrong one is looked for by halves. */
const ONE_BY_ONE = 48;

/** Beginnings are asked so. */
interface Manner {
  /** The numbers that the case has may be so plain that a fault is hidden: all ones. */
  readonly numbers: "all different" | "the case's";
  readonly modes: "the finding's" | "all";
  readonly cotangents: "all different" | "the case's";
}

/** The first in which a beginning is wrong serves: a fault may need other modes, or the case's numbers. */
const manners: readonly Manner[] = [
  { numbers: "all different", modes: "the finding's", cotangents: "all different" },
  { numbers: "the case's", modes: "the finding's", cotangents: "all different" },
  { numbers: "the case's", modes: "all", cotangents: "all different" },
  { numbers: "the case's", modes: "all", cotangents: "the case's" },
];

/**
 * Finds the first statement after which the engine's own numbers are wrong, by asking beginnings of the
 * program whose results are all that its names stand for by then. A block, a loop, a branch or a call is
 * written out in turn, as far as that is wrong too. `undefined` if no beginning is wrong.
 * Cost: a question for each statement that is executed up to there, or four if they are hard to find.
 */
export async function firstWrong(
  engine: Engine,
  task: ProgramTask,
  finding: ProgramFinding,
  dtype: DataType,
): Promise<FirstWrong | undefined> {
  const { mode, isAgain, part } = finding;
  for (const { numbers, modes, cotangents } of manners) {
    const asked = numbers === "all different" ? differing(task) : task;
    const wanted: Wanted = {
      isSought: (other) =>
        other.mode === mode && other.isAgain === isAgain && kindOf(other) === kindOf(finding),
      // Draws are compared between modes, and what is left behind is seen after all.
      modes: isAgain === true || part === "draw" || modes === "all" ? undefined : [mode],
      cotangentOf:
        cotangents === "all different" ? (_, result, place) => different(result, place) : ownCotangent,
      calls: finding.isLater ? task.calls : [],
      refuse: part === "refusal" ? task.refuse : undefined,
    };
    const found = await new Beginnings(engine, dtype, asked, wanted).first(asked.case);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Tells apart what is no wrong number: an untold draw, a caller's array that is written, a refusal. */
function kindOf({ part }: ProgramFinding): ProgramFinding["part"] | "number" {
  return part === "draw" || part === "argument" || part === "refusal" ? part : "number";
}

/** This is asked at the end of each beginning, and looked for in the answer. */
interface Wanted extends Pick<ProgramTask, "calls"> {
  isSought(finding: ProgramFinding): boolean;
  readonly modes: readonly ProgramMode[] | undefined;
  cotangentOf(given: ProgramCase, result: ResultName, place: number): FlatTensor;
  readonly refuse: ProgramTask["refuse"];
}

/** Asks an engine beginnings of one program, and of the procedures that it calls. */
class Beginnings {
  readonly #engine: Engine;
  readonly #dtype: DataType;
  readonly #task: ProgramTask;
  readonly #wanted: Wanted;
  readonly #origins: Origins = new Origins();
  #left = MOST_ASKED;

  constructor(engine: Engine, dtype: DataType, task: ProgramTask, wanted: Wanted) {
    this.#engine = engine;
    this.#dtype = dtype;
    this.#task = task;
    this.#wanted = wanted;
  }

  /** Finds the first wrong statement of a case's entry; a return that is, last. */
  async first(given: ProgramCase): Promise<FirstWrong | undefined> {
    const entry = entryOf(given.program);
    const returns = leavingIn(entry.body, "return");
    const body = withoutThese(entry.body, returns, this.#origins);
    const count = await this.#firstCount(given, [], body);
    if (count === 0) return { statement: undefined, isAround: false };
    if (count !== undefined) return this.#opened(given, body.slice(0, count - 1), at(body, count - 1));
    return this.#leaving(given, entry.body, returns, entry.results);
  }

  /** Finds the break or the return without which a block that is wrong is right. */
  async #leaving(
    given: ProgramCase,
    block: Block,
    leaving: readonly Statement[],
    results?: readonly ResultName[],
  ): Promise<FirstWrong | undefined> {
    if (leaving.length === 0 || !(await this.#isWrong(given, block, results))) return undefined;
    for (const statement of leaving) {
      const without = withoutThese(block, [statement], this.#origins);
      if (hasEnd(given, without, results) && !(await this.#isWrong(given, without, results)))
        return { statement: this.#origins.of(statement), isAround: false };
    }
    return undefined;
  }

  /** Counts the statements of `block` behind `before` with which it is wrong for the first time. */
  async #firstCount(given: ProgramCase, before: Block, block: Block): Promise<number | undefined> {
    const isWrong = (count: number): Promise<boolean> =>
      this.#isWrong(given, [...before, ...block.slice(0, count)]);
    if (block.length <= ONE_BY_ONE) {
      for (let count = 0; count <= block.length; count++) if (await isWrong(count)) return count;
      return undefined;
    }
    if (!(await isWrong(block.length))) return undefined;
    let [right, wrong] = [-1, block.length];
    while (wrong - right > 1) {
      const middle = (right + wrong) >> 1;
      if (await isWrong(middle)) wrong = middle;
      else right = middle;
    }
    return wrong;
  }

  /** Looks into a statement with which it is wrong; what stands `before` it is right. */
  async #opened(given: ProgramCase, before: Block, statement: Statement): Promise<FirstWrong> {
    const around = { statement: this.#origins.of(statement), isAround: true };
    const into = async (prior: Block, inner: Block): Promise<FirstWrong> => {
      const count = await this.#firstCount(given, prior, inner);
      if (count === undefined || count === 0) return around;
      return this.#opened(given, [...prior, ...inner.slice(0, count - 1)], at(inner, count - 1));
    };
    switch (statement.do) {
      case "no_grad":
        return into(before, withoutNoGrad(statement, this.#origins));
      case "checkpoint":
        return into(before, statement.body);
      case "if": {
        const holds = holdsAfter(given, before, statement.condition);
        if (holds === undefined) return around;
        return into(before, holds ? statement.body : statement.otherwise);
      }
      case "while": {
        const loop = counting(given, before, statement, this.#origins);
        if (loop !== undefined && (await this.#isWrong(given, [...before, loop])))
          return this.#opened(given, before, loop);
        return (await this.#breakIn(given, before, statement)) ?? around;
      }
      case "for": {
        const found = await this.#turn(given, before, statement, into);
        return found ?? (await this.#breakIn(given, before, statement)) ?? around;
      }
      case "call":
        return (await this.#alone(this.#wanted, given, before, statement)) ?? around;
      case "differentiate": {
        // What a derivative gives is a value, and its procedure may be wrong in any mode.
        const wanted = { ...this.#wanted, isSought: () => true, modes: undefined };
        return (await this.#alone(wanted, given, before, statement)) ?? { ...around, isAround: false };
      }
      default:
        return { ...around, isAround: false };
    }
  }

  /** Looks into the first turn with which a loop is wrong. */
  async #turn(
    given: ProgramCase,
    before: Block,
    loop: StatementOf<"for">,
    into: (before: Block, inner: Block) => Promise<FirstWrong>,
  ): Promise<FirstWrong | undefined> {
    const shortened = (times: number): Block => [this.#origins.note({ ...loop, times }, loop)];
    let turns = 0;
    while (turns < loop.times && !(await this.#isWrong(given, [...before, ...shortened(turns)]))) turns += 1;
    if (turns === 0) return undefined;
    const earlier = turns === 1 ? [] : shortened(turns - 1);
    const found = await into([...before, ...earlier], turnOf(loop, turns - 1, this.#origins));
    return found.statement === this.#origins.of(loop) ? undefined : found;
  }

  #breakIn(
    given: ProgramCase,
    before: Block,
    loop: StatementOf<"for" | "while">,
  ): Promise<FirstWrong | undefined> {
    return this.#leaving(given, [...before, loop], leavingIn(loop.body, "break"));
  }

  /** Looks into a procedure alone; `undefined` if no beginning of it is wrong. */
  async #alone(
    wanted: Wanted,
    given: ProgramCase,
    before: Block,
    statement: StatementOf<"call" | "differentiate">,
  ): Promise<FirstWrong | undefined> {
    const alone = calledAlone(given, before, statement);
    if (alone === undefined) return undefined;
    const task = { case: alone, calls: [] };
    const found = await new Beginnings(this.#engine, this.#dtype, task, { ...wanted, calls: [] }).first(
      alone,
    );
    return found?.statement === undefined ? undefined : found;
  }

  /** Asks the entry with this body; what is no program, is declined or is not decided is not wrong. */
  async #isWrong(
    given: ProgramCase,
    body: Block,
    results: readonly ResultName[] = readable(given, body),
  ): Promise<boolean> {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    const program = withBody(given.program, body, results);
    if (!checkProgram(program).ok) return false;
    const { modes, calls, refuse, isSought } = this.#wanted;
    const seeds = results.map((result, place) => ({
      id: nodeId(place),
      cotangent: this.#wanted.cotangentOf(given, result, place),
    }));
    const task: ProgramTask = {
      case: { ...given, program, seeds },
      calls: calls.map((call) => (call.seeds.length === 0 ? call : { ...call, seeds })),
      ...(this.#task.tangents && { tangents: this.#task.tangents }),
      ...(modes && { modes }),
      ...(refuse && { refuse }),
    };
    const outcome = await askProgram(this.#engine, task, this.#dtype);
    return outcome.kind === "differs" && isSought(outcome.finding);
  }
}

/** Returns the names of the entry that can be read where this body ends; none if it is no body of its own. */
function readable(given: ProgramCase, body: Block): ResultName[] {
  if (!checkProgram(withBody(given.program, body)).ok) return [];
  const known = namesAtEnd(withBody(given.program, body));
  const hasReleased = statementsIn(body).some(({ do: kind }) => kind === "release" || kind === "call");
  return [...known].flatMap(([name, { shape, isReference }]) => {
    // A location that was released is read by nobody.
    if (isReference && hasReleased && readAfter(given, body, [name]) === undefined) return [];
    return [{ name, shape }];
  });
}
