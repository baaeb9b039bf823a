import type { DataType, Description, Engine, Mode, Program, Reply } from "../../engines/index.ts";
import {
  encodePoint,
  encodeSeeds,
  encodeTensor,
  type FlatTensor,
  fail,
  formatIssue,
  type Graph,
  type Issue,
  ok,
  type Point,
  type ReplyMessage,
  type RequestMessage,
  type Result,
  type Seed,
} from "../../spec/index.ts";
import { type ExpectedShapes, expectedShapes, readTensors } from "./answer.ts";
import { type Introduced, introduce } from "./handshake.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import type { Command } from "./process.ts";
import { neededFor, type Promised, Promises } from "./promises.ts";
import type { Session } from "./session.ts";

/** The form of the tensors in requests: exact either way; base64 is several times faster, text can be read. */
export type TensorForm = "base64" | "text";

/** A graph loaded into one life of the process. */
interface Loaded {
  readonly session: Session;
  readonly number: number;
  readonly dtype: DataType;
  readonly needed: readonly Promised[];
  readonly shapes: ExpectedShapes;
}

type Unnumbered<M> = M extends RequestMessage ? Omit<M, "id"> : never;

/**
 * An engine in another process. Whatever that process does, every call is answered: with what it said, or
 * with `crashed` and the reason. A process that broke the protocol is killed, and a new one is started for the
 * next graph; programs loaded into the old one stay crashed.
 */
export class ProcessEngine implements Engine {
  readonly #command: Command;
  readonly #limits: Limits;
  readonly #description: Description;
  readonly #promises: Promises;
  readonly #form: TensorForm;
  #session: Session;
  #restarting: Promise<Result<Session, string>> | undefined;
  /** Since the last good answer. */
  #restarts = 0;
  #lastNumber = 1;
  #isClosed = false;
  /** The first refusal to unload a program, which nobody waits for. */
  #refusal: string | undefined;

  private constructor(
    command: Command,
    limits: Limits,
    form: TensorForm,
    { session, description }: Introduced,
  ) {
    this.#command = command;
    this.#form = form;
    this.#limits = limits;
    this.#session = session;
    this.#description = description;
    this.#promises = new Promises(description);
  }

  /** Starts the command and shakes hands. Fails: `engine/start`, `engine/handshake`; the process is then gone. */
  static async start(
    command: Command,
    limits: Partial<Limits> = {},
    form: TensorForm = "base64",
  ): Promise<Result<ProcessEngine, Issue[]>> {
    const all = { ...defaultLimits, ...limits };
    const introduced = await introduce(command, all, 1);
    if (!introduced.ok) return introduced;
    return ok(new ProcessEngine(command, all, form, introduced.value));
  }

  describe(): Description {
    return this.#description;
  }

  async load(graph: Graph, dtype: DataType): Promise<Reply<Program>> {
    const needed = neededFor(graph, dtype);
    const lacking = this.#promises.lacking(needed);
    if (lacking !== undefined) return unsupported(`the engine does not promise ${lacking}`);
    const session = await this.#living();
    if (!session.ok) return { kind: "crashed", message: session.error };
    const loaded: Loaded = {
      session: session.value,
      number: this.#number(),
      dtype,
      needed,
      shapes: expectedShapes(graph),
    };
    const request = { kind: "load", program: loaded.number, dtype, graph } as const;
    return this.#ask(loaded, request, needed, (reply) =>
      reply.kind === "done" ? { kind: "result", value: this.#program(loaded) } : undefined,
    );
  }

  /** Promises of the handshake that were called upon and never kept; complete when all cases have run. */
  brokenPromises(): Issue[] {
    return this.#promises.broken();
  }

  /**
   * Ends the process. Faults that no question was told of (it was rude after its last answer, could not unload, or did
   * not exit) are returned, so that a run can report them.
   */
  async close(): Promise<Issue[]> {
    if (this.#isClosed) return [];
    this.#isClosed = true;
    await this.#restarting;
    const wasAlive = this.#session.isAlive;
    const fault = wasAlive ? await this.#session.close() : await this.#session.unreportedFault();
    return [this.#refusal, fault].filter((what) => what !== undefined).map(lastFault);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #program(loaded: Loaded): Program {
    const about = (point: Point) => ({ program: loaded.number, point: encodePoint(point, this.#form) });
    const pull = (kind: "vjp" | "backward_dense", point: Point, seeds: readonly Seed[]) =>
      this.#tensors(loaded, kind, () => ({ kind, ...about(point), seeds: encodeSeeds(seeds, this.#form) }));
    return {
      evaluate: (point) => this.#tensors(loaded, "evaluate", () => ({ kind: "evaluate", ...about(point) })),
      jvp: (point, tangents) =>
        this.#tensors(loaded, "jvp", () => ({
          kind: "jvp",
          ...about(point),
          tangents: tangents.map((tangent) => encodeTensor(tangent, this.#form)),
        })),
      vjp: (point, seeds) => pull("vjp", point, seeds),
      backwardDense: (point, seeds) => pull("backward_dense", point, seeds),
      unload: async () => {
        if (!loaded.session.isAlive) return;
        const request = { kind: "unload", program: loaded.number } as const;
        const reply = await this.#ask(loaded, request, [], ({ kind }) =>
          kind === "done" ? { kind: "result", value: undefined } : undefined,
        );
        // What breaks the session is told to the next question; a refusal breaks nothing.
        if (reply.kind === "error")
          this.#refusal ??= `could not unload program ${loaded.number}: ${reply.message}`;
      },
    };
  }

  async #tensors(
    loaded: Loaded,
    mode: Mode,
    request: () => Unnumbered<RequestMessage>,
  ): Promise<Reply<readonly FlatTensor[]>> {
    const needed: Promised[] = [...loaded.needed, `mode ${mode}`];
    if (this.#promises.lacking(needed) !== undefined) {
      return unsupported(`the engine does not promise mode ${mode}`);
    }
    return this.#ask(loaded, request(), needed, (reply) => {
      if (reply.kind !== "tensors") return undefined;
      const tensors = readTensors(reply.tensors, loaded.shapes[mode], loaded.dtype);
      if (tensors.kind === "result") {
        this.#restarts = 0;
        this.#promises.keep(needed);
      }
      return tensors;
    });
  }

  /** Asks, and reads the answer with `read`, which knows what kind of reply is due. */
  async #ask<T>(
    { session, number }: Loaded,
    request: Unnumbered<RequestMessage>,
    needed: readonly Promised[],
    read: (reply: ReplyMessage) => Reply<T> | undefined,
  ): Promise<Reply<T>> {
    const id = this.#number();
    const label = `request ${id} (${request.kind} of program ${number})`;
    const outcome = await session.request({ id, ...request }, label);
    if (outcome.kind === "too large") {
      return unsupported(`the request takes ${outcome.bytes} bytes, more than a line of the protocol may`);
    }
    if (outcome.kind === "lost") return { kind: "crashed", message: outcome.why };
    const { reply } = outcome;
    if (reply.kind === "unsupported") {
      this.#promises.decline(needed, reply.reason);
      return unsupported(reply.reason);
    }
    if (reply.kind === "error") return { kind: "error", message: reply.message };
    const answer = read(reply);
    if (answer !== undefined) return answer;
    await session.kill(`answered ${label} with ${reply.kind}`);
    return { kind: "crashed", message: `${label}: the engine answered with ${reply.kind}` };
  }

  /** The process to talk to: the one that is there, or a new one if that broke and somebody was told so. */
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
    this.#restarts += 1;
    const introduced = await introduce(this.#command, this.#limits, this.#number());
    if (!introduced.ok)
      return fail(`restart ${this.#restarts}: ${introduced.error.map(formatIssue).join("; ")}`);
    const { session, description } = introduced.value;
    if (JSON.stringify(description) !== JSON.stringify(this.#description)) {
      await session.kill("introduced itself differently the second time");
      return fail("restarted, the engine introduced itself differently");
    }
    this.#session = session;
    return ok(session);
  }

  /** Ids of requests and numbers of programs, never used twice, not even across lives. */
  #number(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }
}

function unsupported(reason: string): { readonly kind: "unsupported"; readonly reason: string } {
  return { kind: "unsupported", reason };
}

function lastFault(message: string): Issue {
  return {
    code: "engine/fault",
    pointer: "",
    message: `${message}.`,
    hint: "a testee writes one line per request and nothing else, and exits when its input ends",
  };
}
