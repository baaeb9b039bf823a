import { fail, type Issue, ok, quote, type Result, visible } from "../../spec/shapes/index.ts";
import {
  type Command,
  defaultLimits,
  type Ending,
  type Limits,
  type Start,
  startProcess,
  type Talker,
} from "../runner/index.ts";
import { type Answered, type Ask, type Asked, questionLine, readAnswer } from "./dialect.ts";
import type { Answer, StorageFramework, StorageKind } from "./framework.ts";
import { Words } from "./words.ts";

/** The version of the dialect. */
const DIALECT = "1";

const kinds: readonly StorageKind[] = ["float32", "int32", "sym_int32", "sym", "asym", "bfp"];

/** Starts a framework, and again once it has ended. Fails: `engine/start`, `engine/handshake`. */
export async function startFramework(
  command: Command,
  limits: Partial<Limits> = {},
  start: Start = startProcess,
): Promise<Result<StorageFramework, Issue[]>> {
  const line = new Line(command, { ...defaultLimits, ...limits }, start);
  const said = await line.say(`hello ${DIALECT}`, line.limits.startMilliseconds);
  if (said.kind === "ended") return fail([noStart(command, said.how)]);
  const [first, version, name, own, ...has] = said.line.trim().split(/\s+/);
  const strange = has.find((word) => !kinds.some((kind) => kind === word));
  if (first !== "ok" || version !== DIALECT || name === undefined || own === undefined || has.length === 0) {
    await line.close();
    return fail([noIntroduction(`it answers hello with ${quote(said.line.slice(0, LONGEST))}.`)]);
  }
  if (strange !== undefined) {
    await line.close();
    return fail([noIntroduction(`it says that it has ${quote(strange)}, which is no kind of type.`)]);
  }
  return ok({
    name: visible(name),
    version: visible(own),
    kinds: kinds.filter((kind) => has.includes(kind)),
    ask: (ask, asked) => put(line, ask, asked),
    close: () => line.close(),
  });
}

async function put<K extends Ask>(line: Line, ask: K, asked: Asked[K]): Promise<Answer<Answered[K]>> {
  const said = await line.say(questionLine(ask, asked), line.limits.requestMilliseconds);
  if (said.kind === "ended")
    return said.isOwn ? { kind: "refused", reason: said.how } : { kind: "broken", what: said.how };
  const [first = "", ...rest] = said.line.trim().split(/\s+/);
  if (first === "refused" || first === "unsupported")
    return { kind: first, reason: visible(rest.join(" "), LONGEST) };
  const shown = visible(said.line, LONGEST);
  if (first !== "ok") return { kind: "broken", what: `answers «${shown}»` };
  const words = new Words(rest);
  const value = readAnswer(ask, words, asked);
  const fault = words.fault();
  if (fault !== undefined) return { kind: "broken", what: `answers «${shown}»: ${visible(fault)}` };
  return { kind: "answered", value, words: visible(rest.join(" "), LONGEST) };
}

/** Lines are shown up to so many characters. */
const LONGEST = 200;

/** A line is answered by a line, or the process ends: `isOwn` if it exited or aborted itself. */
type Said =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "ended"; readonly how: string; readonly isOwn: boolean };

/** A process that answers a line with a line, started when it is first asked. */
class Line {
  readonly limits: Limits;
  readonly #command: Command;
  readonly #begin: Start;
  #process: Talker | undefined;
  #hear: ((said: Said) => void) | undefined;
  #fault: string | undefined;

  constructor(command: Command, limits: Limits, start: Start) {
    this.#command = command;
    this.#begin = start;
    this.limits = limits;
  }

  async say(line: string, milliseconds: number): Promise<Said> {
    let process: Talker;
    try {
      process = this.#process ?? this.#start();
    } catch (thrown) {
      const how = visible(thrown instanceof Error ? thrown.message : String(thrown));
      return { kind: "ended", how, isOwn: false };
    }
    const timer = setTimeout(() => this.#break(`did not answer within ${milliseconds} ms`), milliseconds);
    const said = await new Promise<Said>((hear) => {
      this.#hear = hear;
      process.send(line);
    });
    clearTimeout(timer);
    return said;
  }

  async close(): Promise<void> {
    this.#process?.close();
    await this.#process?.ended;
  }

  #start(): Talker {
    this.#fault = undefined;
    const process = this.#begin(this.#command, this.limits, {
      line: (line) => {
        if (this.#hear === undefined)
          this.#break(`sent a line nobody asked for: «${visible(line, LONGEST)}»`);
        else this.#tell({ kind: "line", line });
      },
      fault: (what) => this.#break(what),
    });
    this.#process = process;
    void process.ended.then((ending) => this.#bury(process, ending));
    return process;
  }

  #break(what: string): void {
    this.#fault ??= what;
    this.#process?.kill();
  }

  #bury(process: Talker, { how, code, lastWords }: Ending): void {
    if (this.#process === process) this.#process = undefined;
    const words = lastWords.trim() === "" ? "" : `: ${visible(lastWords.trim().slice(-LONGEST))}`;
    const isOwn = this.#fault === undefined && (how === "was killed by SIGABRT" || isChosen(code));
    this.#tell({ kind: "ended", how: `it ${this.#fault ?? how}${words}`, isOwn });
  }

  #tell(said: Said): void {
    const hear = this.#hear;
    this.#hear = undefined;
    hear?.(said);
  }
}

/** The least code by which a shell, or another wrapper, says that a signal ended what it ran. */
const OF_SIGNALS = 128;

/** The signal by which C's `abort` and its assertions end a process. */
const ABORT = 6;

/**
 * Tells whether a process chose an exit code for itself. It did not where 126 or 127 say that a command could
 * not be run, 128 + n that it was killed by signal n, or Windows that there was an exception.
 */
function isChosen(code: number | undefined): boolean {
  if (code === undefined || code === 0) return false;
  return code < OF_SIGNALS - 2 || code === OF_SIGNALS + ABORT || (code > OF_SIGNALS + 64 && code < 2 ** 31);
}

function noStart({ argv }: Command, how: string): Issue {
  return {
    code: "engine/start",
    pointer: "",
    message: `${visible(argv.join(" "))}: ${how}.`,
    hint: `start the command by hand and type: hello ${DIALECT}`,
  };
}

function noIntroduction(message: string): Issue {
  return {
    code: "engine/handshake",
    pointer: "",
    message,
    hint: `answer with: ok ${DIALECT} NAME VERSION, and which of ${kinds.join(", ")} there are (docs/storage-profile.md)`,
  };
}
