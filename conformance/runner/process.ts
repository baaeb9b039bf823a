import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import process from "node:process";
import { tieToOurLife } from "../../spec/lifeline.ts";
import { visible } from "../../spec/shapes/index.ts";
import { LineSplitter } from "../protocol/index.ts";
import type { Limits } from "./limits.ts";
import { Tail } from "./tail.ts";

/** A program with its arguments starts a testee, without a shell. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
  /** These variables are added to the runner's own environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A process ended so. */
export interface Ending {
  /** The words say how it ended: `exited with code 3`, `was killed by SIGSEGV`, `could not be started: …`. */
  readonly how: string;
  /** `undefined` if a signal ended it, or if it never began. */
  readonly code: number | undefined;
  /** Bytes of standard output after the last newline: a line that was not finished. */
  readonly unfinishedBytes: number;
  /** The last of what it wrote to standard error. */
  readonly lastWords: string;
}

/** A process causes these events. */
interface ProcessEvents {
  line(line: string): void;
  /** The process did `what` (a verb phrase), after which it is useless; the listener has to kill it. */
  fault(what: string): void;
}

/** A testee as its session sees it: a process, or in tests what plays one. */
export interface Talker {
  /** Resolves when it is gone and all it wrote has been read. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Writes one line. */
  send(line: string): void;
  /** Says that no more lines will come. */
  close(): void;
  /** Ends it at once. What it still writes is not listened to. */
  kill(): void;
}

/** A testee is started by such a function. */
export type Start = (command: Command, limits: Limits, events: ProcessEvents) => Talker;

/**
 * A testee's process, and the bytes to and from it. It runs in a process group of its own, so that killing it
 * kills what it started; nothing it does can raise an exception here.
 */
class TesteeProcess implements Talker {
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #limits: Limits;
  readonly #events: ProcessEvents;
  readonly #splitter: LineSplitter;
  readonly #lastWords: Tail;
  /** Set once standard output is not listened to any more. */
  #isDeaf = false;
  #hasExited = false;
  /** Resolves {@link ended}. */
  #end: (how: string, code: number | undefined) => void = () => {};

  constructor(command: Command, limits: Limits, events: ProcessEvents) {
    this.#limits = limits;
    this.#events = events;
    this.#splitter = new LineSplitter(limits.lineBytes);
    this.#lastWords = new Tail(limits.stderrBytes);
    const [file, ...rest] = command.argv;
    this.#child = spawn(file, rest, {
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      env: { ...process.env, ...command.env },
      stdio: "pipe",
      detached: process.platform !== "win32",
    });
    this.ended = this.#watch(this.#child);
  }

  /**
   * Writes one line, together with others sent before the next wait, since each write is a system call and
   * wakes the process. If it does not read, its time limit or {@link ProcessEvents.fault} finds that out.
   */
  send(line: string): void {
    const { stdin } = this.#child;
    if (!stdin.writable) return;
    if (stdin.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    stdin.write(`${line}\n`);
  }

  /** Says that no more lines will come. A process that does not exit then is at fault. */
  close(): void {
    this.#child.stdin.end();
    this.#mustExit("did not exit when its input ended");
  }

  /** Ends the process and all it started, at once. What it still writes is not listened to. */
  kill(): void {
    this.#isDeaf = true;
    this.#killGroup();
    // A process the system cannot kill (it waits for a disk, say) must not be waited for.
    this.#after(() => this.#end("could not be killed", undefined));
  }

  #watch(child: ChildProcessWithoutNullStreams): Promise<Ending> {
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stdout.on("end", () => this.#mustExit("closed its standard output and went on running"));
    child.stderr.on("data", (chunk: Buffer) => this.#lastWords.push(chunk));
    child.stdin.on("error", () => this.#mustExit("closed its standard input and went on running"));
    child.once("exit", () => this.#cleanUp());
    const letGo = killOnExit(() => this.#killGroup());
    const untie = tieToOurLife(child.pid);
    return new Promise((resolve) => {
      this.#end = (how, code) => {
        letGo();
        untie();
        this.#hasExited = true;
        const unfinishedBytes = this.#splitter.pendingBytes;
        resolve({ how, code, unfinishedBytes, lastWords: this.#lastWords.toString() });
      };
      child.once("error", (error) => {
        if (child.pid === undefined) this.#end(`could not be started: ${visible(error.message)}`, undefined);
      });
      child.once("close", (code, signal) => {
        this.#end(
          signal === null ? `exited with code ${code}` : `was killed by ${signal}`,
          code ?? undefined,
        );
      });
    });
  }

  #read(chunk: Buffer): void {
    if (this.#isDeaf) return;
    const { lines, fault } = this.#splitter.push(chunk);
    for (const line of lines) {
      if (!this.#isDeaf) this.#events.line(line);
    }
    if (fault !== undefined && !this.#isDeaf) this.#events.fault(`sent ${fault}`);
  }

  /** A pipe is closed: fine if the process is about to exit, a fault if it is not. */
  #mustExit(otherwise: string): void {
    this.#after(() => {
      if (!this.#isDeaf) this.#events.fault(otherwise);
    });
  }

  /** The process is gone; what it started may still be there, and hold its pipes open. */
  #cleanUp(): void {
    this.#killGroup();
    this.#hasExited = true;
    this.#after(() => {
      this.#child.stdout.destroy();
      this.#child.stderr.destroy();
    });
  }

  /** Does `what` when the process has had its time to exit, unless it has ended by then. */
  #after(what: () => void): void {
    const timer = setTimeout(what, this.#limits.exitMilliseconds);
    void this.ended.finally(() => clearTimeout(timer));
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#hasExited) return;
    try {
      if (process.platform === "win32") this.#child.kill("SIGKILL");
      else process.kill(-pid, "SIGKILL");
    } catch {
      // The group is gone already: that is what was wanted.
    }
  }
}

/** Starts a testee as a process of its own. */
export const startProcess: Start = (command, limits, events) => new TesteeProcess(command, limits, events);

/** Calls `kill` if this process exits first. The function that it returns cancels that. */
function killOnExit(kill: () => void): () => void {
  // One listener for each living testee is no leak, so it must not look like one.
  process.setMaxListeners(process.getMaxListeners() + 1);
  process.once("exit", kill);
  return () => {
    // What could not be started says so, and is closed too.
    if (!process.listeners("exit").includes(kill)) return;
    process.off("exit", kill);
    process.setMaxListeners(process.getMaxListeners() - 1);
  };
}
