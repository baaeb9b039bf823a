import { entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import {
  type Block,
  blocksOf,
  type ResultName,
  type Statement,
  type StatementOf,
  statementsIn,
} from "../../spec/programs/index.ts";
import { at } from "../../spec/shapes/index.ts";
import { type Beginnings, readable, type Wanted } from "./beginnings.ts";
import { Origins } from "./origins.ts";
import { otherwise } from "./otherwise.ts";
import { summed } from "./summed.ts";
import { withoutNoGrad } from "./without_no_grad.ts";
import {
  counting,
  hasEnd,
  holdsAfter,
  isSameRun,
  leavingIn,
  turnOf,
  withoutCounting,
  withoutThese,
} from "./written_out.ts";
import { calledAlone, calledHere, customHere } from "./written_out_calls.ts";

/** The search found the first statement with which a program is answered wrongly. */
export interface FirstWrong {
  /** `undefined` if what stands before any statement is answered wrongly. */
  readonly statement: Statement | undefined;
  /**
   * The statement was found by itself; around others, which are answered rightly when they are written out in
   * its place; or none was, since the results are answered rightly one by one, and wrongly together.
   */
  readonly how: "itself" | "around" | "together";
}

/** So many statements are gone through one by one; of more, a first wrong one is looked for by halves. */
const ONE_BY_ONE = 48;

/** Searches beginnings of one program, and of the procedures that it calls, for the first that is wrong. */
export class Search {
  readonly #asked: Beginnings;
  readonly #origins: Origins = new Origins();

  constructor(asked: Beginnings) {
    this.#asked = asked;
  }

  /** Finds the first wrong statement of a case's entry; a return that is, last. */
  async first(): Promise<FirstWrong | undefined> {
    const entry = entryOf(this.#asked.given.program);
    const returns = leavingIn(entry.body, "return");
    const body = withoutThese(entry.body, returns, this.#origins);
    const count = await this.#firstCount([], body);
    if (count === 0)
      return { statement: undefined, how: (await this.#isTogether([])) ? "together" : "itself" };
    if (count !== undefined) return this.#opened(body.slice(0, count - 1), at(body, count - 1));
    return this.#leaving(entry.body, returns, entry.results);
  }

  /**
   * Finds the break or the return without which a block that is wrong is right. It is the loop's fault if the
   * block is right too where the loop that is left does not count.
   */
  async #leaving(
    block: Block,
    leaving: readonly Statement[],
    results: readonly ResultName[] = this.#asked.resultsAfter(block),
  ): Promise<FirstWrong | undefined> {
    if (leaving.length === 0 || !(await this.#asked.isWrong(block, results))) return undefined;
    for (const statement of leaving) {
      const without = withoutThese(block, [statement], this.#origins);
      if (!hasEnd(this.#asked.given, without, results) || (await this.#asked.isWrong(without, results)))
        continue;
      for (const loop of loopsLeftBy(block, statement)) {
        const still = withoutCounting(this.#asked.given, block, loop, results, this.#origins);
        if (still !== undefined && (await this.#asked.isRight(still, results)))
          return { statement: this.#origins.of(loop), how: "around" };
      }
      return { statement: this.#origins.of(statement), how: "itself" };
    }
    return undefined;
  }

  /** Counts the statements of `block` behind `before` with which it is wrong for the first time. */
  async #firstCount(before: Block, block: Block): Promise<number | undefined> {
    const isWrong = (count: number): Promise<boolean> =>
      this.#asked.isWrong([...before, ...block.slice(0, count)]);
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

  /** Looks into a statement with which it is wrong, and around it; what stands `before` it is right. */
  async #opened(before: Block, statement: Statement): Promise<FirstWrong> {
    return (
      (await this.#inside(before, statement)) ??
      (await this.#behind(before, statement)) ??
      ((await this.#isTogether([...before, statement]))
        ? { statement: undefined, how: "together" }
        : { statement: this.#origins.of(statement), how: isAroundOthers(statement) ? "around" : "itself" })
    );
  }

  /** Looks into a statement around others; `undefined` if they are answered rightly in its place. */
  async #inside(before: Block, statement: Statement): Promise<FirstWrong | undefined> {
    switch (statement.do) {
      case "no_grad":
        return this.#into(before, withoutNoGrad(this.#asked.given, before, statement, this.#origins));
      case "checkpoint":
        return this.#into(before, statement.body);
      case "if": {
        const holds = holdsAfter(this.#asked.given, before, statement.condition);
        if (holds === undefined) return undefined;
        return this.#into(before, holds ? statement.body : statement.otherwise);
      }
      case "while": {
        const loop = counting(this.#asked.given, before, statement, this.#origins);
        if (loop !== undefined && (await this.#asked.isWrong([...before, loop])))
          return this.#opened(before, loop);
        return this.#breakIn(before, statement);
      }
      case "for":
        return (await this.#turn(before, statement)) ?? (await this.#breakIn(before, statement));
      case "call": {
        const alone = await this.#alone(this.#asked.wanted, before, statement);
        if (alone !== undefined) return alone;
        const here = calledHere(this.#asked.given.program, statement, this.#origins);
        return here && this.#into(before, here);
      }
      case "custom":
      case "hook":
        return this.#into(before, customHere(this.#asked.given.program, statement, this.#origins));
      case "differentiate":
      case "differentiate_call": {
        // What a derivative gives is a value, and its procedure may be wrong in any mode.
        const wanted = { ...this.#asked.wanted, isSought: () => true, modes: undefined };
        return this.#alone(wanted, before, statement);
      }
      default:
        return undefined;
    }
  }

  /** Looks into statements in the place of one around them. */
  async #into(before: Block, inner: Block): Promise<FirstWrong | undefined> {
    const count = await this.#firstCount(before, inner);
    if (count === undefined || count === 0) return undefined;
    return this.#opened([...before, ...inner.slice(0, count - 1)], at(inner, count - 1));
  }

  /**
   * Finds an earlier statement that leaves something behind: `statement` is right if that one is written out.
   */
  async #behind(before: Block, statement: Statement): Promise<FirstWrong | undefined> {
    const { given } = this.#asked;
    const whole = [...before, statement];
    for (const [place, earlier] of [...before.entries()].reverse()) {
      const front = before.slice(0, place);
      for (const { block, of } of otherwise(given, front, earlier, this.#origins)) {
        const other = [...front, ...block, ...whole.slice(place + 1)];
        if (!isSameRun(given, whole, other, commonNames(given, whole, other))) continue;
        if (await this.#asked.isRight(other))
          return { statement: this.#origins.of(of), how: of === earlier ? "around" : "itself" };
      }
    }
    return undefined;
  }

  /** Tells whether wrong cotangents are right if one result is asked at a time, or the sum of all. */
  async #isTogether(body: Block): Promise<boolean> {
    const results = this.#asked.resultsAfter(body);
    if (this.#asked.wanted.mode !== "vjp" || results.length < 2) return false;
    // What was bound last is wrong first, if it is wrong alone.
    for (const result of results.toReversed()) if (!(await this.#asked.isRight(body, [result]))) return false;
    const { statements, total } = summed(results, this.#origins);
    return this.#asked.isRight([...body, ...statements], [total]);
  }

  /** Looks into the first turn with which a loop is wrong. */
  async #turn(before: Block, loop: StatementOf<"for">): Promise<FirstWrong | undefined> {
    const shortened = (times: number): Block => [this.#origins.note({ ...loop, times }, loop)];
    let turns = 0;
    while (turns < loop.times && !(await this.#asked.isWrong([...before, ...shortened(turns)]))) turns += 1;
    if (turns === 0) return undefined;
    const earlier = turns === 1 ? [] : shortened(turns - 1);
    return this.#into([...before, ...earlier], turnOf(loop, turns - 1, this.#origins));
  }

  #breakIn(before: Block, loop: StatementOf<"for" | "while">): Promise<FirstWrong | undefined> {
    return this.#leaving([...before, loop], leavingIn(loop.body, "break"));
  }

  /** Looks into a procedure alone; `undefined` if no beginning of it is wrong. */
  async #alone(
    wanted: Wanted,
    before: Block,
    statement: StatementOf<"call" | "differentiate" | "differentiate_call">,
  ): Promise<FirstWrong | undefined> {
    const alone = calledAlone(this.#asked.given, before, statement);
    if (alone === undefined) return undefined;
    const found = await new Search(this.#asked.elsewhere(alone, wanted)).first();
    return found?.statement === undefined ? undefined : found;
  }
}

/** Tells whether what a statement does can be written out by others. */
function isAroundOthers(statement: Statement): boolean {
  return ["call", "custom", "hook"].includes(statement.do) || blocksOf(statement).length > 0;
}

/** Lists the loops with a counter that a break or a return ends. */
function loopsLeftBy(block: Block, leaving: Statement): StatementOf<"for">[] {
  const kind = leaving.do === "break" ? "break" : "return";
  return statementsIn(block).flatMap((one) =>
    one.do === "for" && leavingIn(one.body, kind).includes(leaving) ? [one] : [],
  );
}

/** Lists the names that can be read at the end of both bodies. */
function commonNames(given: ProgramCase, one: Block, other: Block): ResultName[] {
  const names = new Set(readable(given, other).map(({ name }) => name));
  return readable(given, one).filter(({ name }) => names.has(name));
}
