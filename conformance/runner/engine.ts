import type {
  Description,
  Engine,
  LoadedGraph,
  LoadedProgram,
  ProgramEngine,
  ProgramReply,
  Reply,
} from "../../spec/contract/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import type { Program } from "../../spec/programs/index.ts";
import { beyondLimits } from "../../spec/promises/index.ts";
import { fail, formatIssue, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { DataType, EstimateLaw, TapeDescription } from "../../spec/wire/index.ts";
import type { Desk, Failure, TensorForm } from "./asking.ts";
import { type Introduced, introduce } from "./handshake.ts";
import { ANSWERS, defaultLimits, type Limits } from "./limits.ts";
import { loadInto } from "./loaded_graph.ts";
import { loadProgramInto } from "./loaded_program.ts";
import type { Command, Start } from "./process.ts";
import { neededFor, neededForProgram, type Promised, Promises } from "./promises.ts";
import type { Session } from "./session.ts";

/**
 * An engine runs in another process. Whatever that does, every call is answered: with what it said, or with
 * `crashed` and the reason. A process that broke the protocol is killed, and a new one is started for the
 * next graph; programs loaded into the old one stay crashed.
 */
export class ProcessEngine implements Engine {
  readonly queues = true;
  /** It is there if the engine promises statements. */
  readonly programs?: ProgramEngine;
  /** It is there if the engine promises tapes. */
  readonly tapes?: TapeDescription;
  /** They are there if the engine promises forward gradients. */
  readonly estimates?: readonly EstimateLaw[];
  readonly #command: Command;
  readonly #limits: Limits;
  /** The engine said this of itself, to the letter. */
  readonly #introduction: string;
  readonly #description: Description;
  readonly #desk: Desk;
  readonly #start: Start | undefined;
  #session: Session;
  #restarting: Promise<Result<Session, string>> | undefined;
  /** Counts the restarts since the last good answer. */
  #restarts = 0;
  #restartsInAll = 0;
  #goodAnswers = 0;
  /** 1 was the first `hello`. */
  #lastNumber = 1;
  #isClosed = false;
  /** The first thing that went wrong without a question being told. */
  #complaint: string | undefined;

  private constructor(
    command: Command,
    limits: Limits,
    form: TensorForm,
    { session, description, capabilities }: Introduced,
    start: Start | undefined,
  ) {
    const { programs, tapes, estimates } = capabilities;
    if (tapes !== undefined) this.tapes = tapes;
    if (estimates !== undefined) this.estimates = estimates;
    if (programs !== undefined) {
      this.programs = {
        describePrograms: () => programs,
        loadProgram: (program, dtype) => this.#loadProgram(program, dtype),
      };
    }
    this.#introduction = JSON.stringify([description, capabilities]);
    this.#start = start;
    this.#command = command;
    this.#limits = limits;
    this.#session = session;
    this.#description = description;
    this.#desk = {
      form,
      promises: new Promises(description, capabilities),
      number: () => {
        this.#lastNumber += 1;
        return this.#lastNumber;
      },
      praise: () => {
        this.#restarts = 0;
        this.#goodAnswers += 1;
      },
      complain: (what) => {
        this.#complaint ??= `the engine ${what}`;
      },
    };
  }

  /** Starts a process and shakes hands. Fails, with the process gone: `engine/start`, `engine/handshake`. */
  static async start(
    command: Command,
    limits: Partial<Limits> = {},
    form: TensorForm = "base64",
    start?: Start,
  ): Promise<Result<ProcessEngine, Issue[]>> {
    const all = { ...defaultLimits, ...limits };
    const introduced = await introduce(command, all, 1, start);
    if (!introduced.ok) return introduced;
    return ok(new ProcessEngine(command, all, form, introduced.value, start));
  }

  describe(): Description {
    return this.#description;
  }

  async load(graph: Graph, dtype: DataType): Promise<Reply<LoadedGraph>> {
    const needed = neededFor(graph, dtype);
    const beyond = this.#desk.promises.lacking(needed) ?? beyondLimits(this.#description, graph);
    if (beyond !== undefined) return { kind: "unsupported", reason: `the engine does not promise ${beyond}` };
    return this.#loading(needed, (session) => loadInto(session, graph, dtype, needed, this.#desk));
  }

  #loadProgram(program: Program, dtype: DataType): Promise<ProgramReply<LoadedProgram>> {
    const needed = neededForProgram(program, dtype);
    return this.#loading(needed, (session) => loadProgramInto(session, program, dtype, needed, this.#desk));
  }

  /** Loads where all that is needed was promised, into a process that lives. */
  async #loading<R>(
    needed: readonly Promised[],
    load: (session: Session) => Promise<R>,
  ): Promise<R | Failure> {
    const lacking = this.#desk.promises.lacking(needed);
    if (lacking !== undefined) {
      return { kind: "unsupported", reason: `the engine does not promise ${lacking}` };
    }
    const session = await this.#living();
    return session.ok ? load(session.value) : { kind: "crashed", message: session.error };
  }

  /** Returns promises that were called upon and never kept; complete when all cases have run. */
  brokenPromises(): Issue[] {
    return this.#desk.promises.broken();
  }

  /**
   * Ends the process, and returns the faults that no question was told of, so that a run can report them: the
   * engine was rude after its last answer, could not unload, or did not exit.
   */
  async close(): Promise<Issue[]> {
    if (this.#isClosed) return [];
    this.#isClosed = true;
    await this.#restarting;
    const wasAlive = this.#session.isAlive;
    const fault = wasAlive ? await this.#session.close() : await this.#session.unreportedFault();
    return [this.#complaint, fault].filter((what) => what !== undefined).map(lastFault);
  }

  /** Does not count its last end, however it came to it. */
  forgive(): void {
    this.#restarts -= 1;
    this.#restartsInAll -= 1;
  }

  /** Ends the process, whose answers nobody waits for, without a fault. The next graph starts another. */
  async interrupt(): Promise<void> {
    this.#restarts = 0;
    await this.#session.kill("was interrupted: nobody waits for its answer any more", true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Returns the process to talk to, or a new one if that broke and somebody was told so. */
  async #living(): Promise<Result<Session, string>> {
    if (this.#isClosed) return fail("the engine has been closed");
    const session = this.#session;
    if (session.isAlive) return ok(session);
    const untold = await session.unreportedFault();
    if (untold !== undefined) return fail(untold);
    // Another call may have started a new process meanwhile.
    if (session !== this.#session) return this.#living();
    this.#restarting ??= this.#restart().finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  async #restart(): Promise<Result<Session, string>> {
    if (this.#restarts >= this.#limits.restarts) {
      return fail(`gave up: ${this.#restarts} restarts in a row brought no good answer`);
    }
    const allowed = this.#limits.restartsInAll + Math.floor(this.#goodAnswers / ANSWERS);
    if (this.#restartsInAll >= allowed)
      return fail(
        `gave up: it ended ${this.#restartsInAll + 1} times, and gave only ${this.#goodAnswers} good answers`,
      );
    this.#restartsInAll += 1;
    this.#restarts += 1;
    const introduced = await introduce(this.#command, this.#limits, this.#desk.number(), this.#start);
    if (!introduced.ok)
      return fail(`restart ${this.#restarts}: ${introduced.error.map(formatIssue).join("; ")}`);
    const { session, description, capabilities } = introduced.value;
    if (JSON.stringify([description, capabilities]) !== this.#introduction) {
      await session.kill("introduced itself differently", true);
      return fail("restarted, the engine introduced itself differently");
    }
    this.#session = session;
    return ok(session);
  }
}

function lastFault(message: string): Issue {
  return {
    code: "engine/fault",
    pointer: "",
    message: `${message}.`,
    hint: "a testee writes one line per request and nothing else, and exits when its input ends",
  };
}
