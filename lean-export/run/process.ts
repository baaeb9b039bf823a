import { spawn } from "node:child_process";
import process from "node:process";
import { tieToOurLife } from "../../spec/lifeline.ts";

/** A program, its arguments, and what it may take. */
export interface Command {
  readonly file: string;
  readonly argv: readonly string[];
  readonly folder: string;
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: ProcessLimits;
}

/** A process that exceeds one of these is ended. */
export interface ProcessLimits {
  readonly milliseconds: number;
  /** This limits standard output and standard error together. */
  readonly outputBytes: number;
}

/** Talking with a process while it runs. */
export interface Conversation {
  /** Called once, with the means to send a line, to end its input, and to end it. */
  begin(speaker: Speaker): void;
  /** Is told a whole line of standard output. */
  heard(line: string): void;
}

/** A running process can be told these. */
export interface Speaker {
  send(line: string): void;
  close(): void;
  kill(why: string): void;
}

/** A process ended so, and had written this. */
export interface ProcessEnd {
  readonly ending:
    | { readonly kind: "exited"; readonly code: number }
    | { readonly kind: "killed"; readonly why: string }
    | { readonly kind: "not-started"; readonly why: string };
  /** The output lacks the lines that a conversation has heard. */
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/**
 * Runs a program to its end, or to its limit. Law: it is gone when the promise resolves, with all it started
 * in its process group, and the promise never rejects.
 */
export function runProcess(command: Command, conversation?: Conversation): Promise<ProcessEnd> {
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
  const begun = performance.now();
  const { milliseconds: limit, outputBytes } = command.limits;
  const isGrouped = process.platform !== "win32";
  const child = spawn(command.file, command.argv, {
    cwd: command.folder,
    env: { ...command.environment },
    stdio: "pipe",
    detached: isGrouped,
  });
  const said = new Output(outputBytes, conversation);
  let killed: string | undefined;
  const kill = (why: string): void => {
    killed ??= why;
    killGroup(child.pid, isGrouped);
  };
  const atExit = (): void => kill("was ended with its caller");
  const timer = setTimeout(() => kill(`took more than ${limit} ms`), limit);
  process.on("exit", atExit);
  const untie = tieToOurLife(child.pid);
  const end = (ending: ProcessEnd["ending"]): void => {
    clearTimeout(timer);
    process.removeListener("exit", atExit);
    untie();
    const milliseconds = Math.round(performance.now() - begun);
    resolve({ ending, stdout: said.out(), stderr: said.err(), milliseconds });
  };
  const within = (isWithin: boolean): void => {
    if (!isWithin) kill(`wrote more than ${outputBytes} bytes`);
  };
  child.stdout.on("data", (chunk: Buffer) => within(said.hear(chunk)));
  child.stderr.on("data", (chunk: Buffer) => within(said.hearError(chunk)));
  child.stdin.on("error", () => {}); // It has ended; how is told elsewhere.
  child.once("error", (error) => {
    if (child.pid === undefined) end({ kind: "not-started", why: error.message });
  });
  child.once("exit", () => killGroup(child.pid, isGrouped));
  child.once("close", (code, name) => {
    if (killed !== undefined) end({ kind: "killed", why: killed });
    else if (code === null) end({ kind: "killed", why: `was ended by ${name}` });
    else end({ kind: "exited", code });
  });
  if (conversation === undefined) child.stdin.end();
  else {
    const send = (line: string): void => {
      if (child.stdin.writable) child.stdin.write(`${line}\n`);
    };
    conversation.begin({ send, close: () => child.stdin.end(), kill });
  }
  return promise;
}

/** It collects what a process writes, up to a limit. */
class Output {
  readonly #limit: number;
  readonly #conversation: Conversation | undefined;
  readonly #out: Buffer[] = [];
  readonly #err: Buffer[] = [];
  #bytes = 0;

  constructor(limit: number, conversation: Conversation | undefined) {
    this.#limit = limit;
    this.#conversation = conversation;
  }

  /** Keeps a chunk if the limit allows it, and says whether it does. */
  hear(chunk: Buffer): boolean {
    if (!this.#count(chunk)) return false;
    this.#out.push(chunk);
    const { heard } = this.#conversation ?? {};
    if (heard === undefined || !chunk.includes(10)) return true;
    const whole = Buffer.concat(this.#out);
    const end = whole.lastIndexOf(10);
    this.#out.splice(0, this.#out.length, whole.subarray(end + 1));
    for (const line of whole.toString("utf8", 0, end).split(/\r?\n/)) this.#conversation?.heard(line);
    return true;
  }

  hearError(chunk: Buffer): boolean {
    const isWithin = this.#count(chunk);
    if (isWithin) this.#err.push(chunk);
    return isWithin;
  }

  out(): string {
    return Buffer.concat(this.#out).toString("utf8");
  }

  err(): string {
    return Buffer.concat(this.#err).toString("utf8");
  }

  #count(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    return this.#bytes <= this.#limit;
  }
}

/** Ends a process and those it started. */
function killGroup(pid: number | undefined, isGrouped: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(isGrouped ? -pid : pid, "SIGKILL");
  } catch {
    // It has gone already.
  }
}
