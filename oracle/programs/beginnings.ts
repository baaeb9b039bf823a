import type { Engine, ProgramMode } from "../../spec/contract/index.ts";
import { checkProgram, type ProgramCase } from "../../spec/documents/index.ts";
import {
  type Block,
  namesAtEnd,
  type ResultName,
  type StatementKind,
  statementsIn,
} from "../../spec/programs/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import type { ProgramFinding } from "./answer.ts";
import { askProgram, type ProgramOutcome } from "./ask.ts";
import type { ProgramTask } from "./task.ts";
import { readAfter, withBody } from "./written_out.ts";

/** At most this many beginnings of a program are asked. */
const MOST_ASKED = 400;

/** This is asked at the end of each beginning, and looked for in the answer. */
export interface Wanted extends Pick<ProgramTask, "calls"> {
  /** The finding was made in this mode. */
  readonly mode: ProgramMode;
  isSought(finding: ProgramFinding): boolean;
  readonly modes: readonly ProgramMode[] | undefined;
  /** Chooses among the names that can be read where a beginning ends. */
  resultsOf(given: ProgramCase, names: readonly ResultName[]): readonly ResultName[];
  cotangentOf(given: ProgramCase, result: ResultName, place: number): FlatTensor;
  readonly refuse: ProgramTask["refuse"];
}

/** Asks an engine beginnings of one program. */
export class Beginnings {
  readonly given: ProgramCase;
  readonly wanted: Wanted;
  readonly #engine: Engine;
  readonly #dtype: DataType;
  readonly #task: ProgramTask;
  #left = MOST_ASKED;

  constructor(engine: Engine, dtype: DataType, task: ProgramTask, wanted: Wanted) {
    this.given = task.case;
    this.wanted = wanted;
    this.#engine = engine;
    this.#dtype = dtype;
    this.#task = task;
  }

  /** Asks the same engine beginnings of another program. */
  elsewhere(given: ProgramCase, wanted: Wanted): Beginnings {
    return new Beginnings(this.#engine, this.#dtype, { case: given, calls: [] }, { ...wanted, calls: [] });
  }

  /** Tells whether the entry with this body has the wrong answer that is looked for. */
  async isWrong(body: Block, results?: readonly ResultName[]): Promise<boolean> {
    const outcome = await this.#asked(body, results);
    return outcome?.kind === "differs" && this.wanted.isSought(outcome.finding);
  }

  /** Tells whether the entry with this body is answered rightly: a reply that is not decided is not. */
  async isRight(body: Block, results?: readonly ResultName[]): Promise<boolean> {
    return (await this.#asked(body, results))?.kind === "agrees";
  }

  /** Lists what is asked for at the end of this body. */
  resultsAfter(body: Block): readonly ResultName[] {
    return this.wanted.resultsOf(this.given, readable(this.given, body));
  }

  /** Asks the entry with this body; `undefined` if it is no program, or too many were asked. */
  async #asked(
    body: Block,
    results: readonly ResultName[] = this.resultsAfter(body),
  ): Promise<ProgramOutcome | undefined> {
    if (this.#left <= 0) return undefined;
    this.#left -= 1;
    const program = withBody(this.given.program, body, results);
    if (!checkProgram(program).ok) return undefined;
    const { modes, calls, refuse } = this.wanted;
    const seeds = results.map((result, place) => ({
      id: nodeId(place),
      cotangent: this.wanted.cotangentOf(this.given, result, place),
    }));
    const task: ProgramTask = {
      case: { ...this.given, program, seeds },
      calls: calls.map((call) => (call.seeds.length === 0 ? call : { ...call, seeds })),
      ...(this.#task.tangents && { tangents: this.#task.tangents }),
      ...(modes && { modes }),
      ...(refuse && { refuse }),
    };
    return askProgram(this.#engine, task, this.#dtype);
  }
}

/** Returns the names of the entry that can be read where this body ends; none if it is no body of its own. */
export function readable(given: ProgramCase, body: Block): ResultName[] {
  if (!checkProgram(withBody(given.program, body)).ok) return [];
  const known = namesAtEnd(withBody(given.program, body));
  const mayRelease: readonly StatementKind[] = ["release", "call", "differentiate_call"];
  const hasReleased = statementsIn(body).some(({ do: kind }) => mayRelease.includes(kind));
  return [...known].flatMap(([name, { shape, isReference }]) => {
    // A location that was released is read by nobody.
    if (isReference && hasReleased && readAfter(given, body, [name]) === undefined) return [];
    return [{ name, shape }];
  });
}
