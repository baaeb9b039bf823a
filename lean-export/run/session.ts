import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, AnswerReader } from "./answer.ts";
import { driverOptions, importingDriver, readDriver } from "./driver.ts";
import type { Lean, LeanRun } from "./lean.ts";
import type { ProcessLimits, Speaker } from "./process.ts";
import { complaintOf } from "./report.ts";

/** A file to elaborate, and what to say of the environment that comes of it. */
export interface Request {
  /** Its name in messages. */
  readonly file: string;
  readonly text: string;
  /** The module that it is. */
  readonly module: string;
  /** Full names of theorems that it must hold. */
  readonly claims: readonly string[];
  /** The library whose names it may not take. */
  readonly library: string;
  /** If true, the compiled module is kept, in {@link Reply.compiled}. */
  readonly isCompiled: boolean;
  /** The text is equal for files that import the same: they are imported once. */
  readonly imports: string;
  /** A file of the exporter's that says what claims may state; without it none is compared with any. */
  readonly statements?: string;
}

/** A session answers a request so. */
export interface Reply {
  readonly answer: Answer;
  readonly milliseconds: number;
  /** The folder with the compiled module; it goes with the session. */
  readonly compiled: string;
}

/** A session begins with these options. */
export interface SessionOptions {
  readonly lean: Lean;
  readonly libraries: readonly string[];
  /** The folder with the compiled driver; the session compiles its own if it is left out. */
  readonly driver?: string | undefined;
  /** Each file is compiled within these limits. */
  readonly limits: ProcessLimits;
}

/** Five minutes and eight megabytes: what a file may take. */
export const defaultLimits: ProcessLimits = { milliseconds: 300_000, outputBytes: 8_000_000 };

/** A session lasts no longer than this, whatever it does. */
const sessionLimits: ProcessLimits = { milliseconds: 86_400_000, outputBytes: 1_000_000_000 };

/** A session runs this program, which is the driver. */
const programFile = "Session.lean";

/** A session may take so long to begin, on machines much slower than ours. */
const beginningMilliseconds = 600_000;

/**
 * A Lean that elaborates one file after the other in one process, each from the environment that its imports
 * give and nothing else. A file that takes too long, or says too much, ends the session.
 */
export class LeanSession implements AsyncDisposable {
  readonly #folder: string;
  readonly #limits: ProcessLimits;
  readonly #run: Promise<LeanRun>;
  readonly #begun: Promise<boolean>;
  #speaker: Speaker | undefined;
  #reader: AnswerReader | undefined;
  #heardReady: () => void = () => {};
  #asked = 0;

  private constructor(folder: string, options: SessionOptions) {
    this.#folder = folder;
    this.#limits = options.limits;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#heardReady = () => resolve(true);
    this.#begun = promise;
    const { driver } = options;
    const libraries = driver === undefined ? options.libraries : [...options.libraries, driver];
    const job = { folder, file: programFile, libraries, writable: "out" };
    this.#run = options.lean.run(
      { ...job, options: driverOptions, isProgram: true, limits: sessionLimits },
      {
        begin: (speaker) => {
          this.#speaker = speaker;
        },
        heard: (line) => this.#hear(line),
      },
    );
    this.#run.then(() => resolve(false));
  }

  /** Starts Lean. Whether it begins is said by the first answer. */
  static async start(options: SessionOptions): Promise<LeanSession> {
    const folder = await mkdtemp(join(tmpdir(), "adjudge-lean-"));
    await mkdir(join(folder, "out"));
    const program = options.driver === undefined ? await readDriver() : importingDriver;
    await writeFile(join(folder, programFile), program);
    return new LeanSession(folder, options);
  }

  /** Answers one request at a time, and never rejects. After any answer but `elaborated` it may be over. */
  async ask(request: Request): Promise<Reply> {
    this.#asked += 1;
    const compiled = join(this.#folder, "out", String(this.#asked));
    if (!(await this.#hasBegun())) return this.#ended(0, compiled);
    await this.#write(request, compiled);
    const nonce = randomUUID();
    // An answer says what the definitions are, each number quoted.
    const reader = new AnswerReader(nonce, this.#limits.outputBytes + 4 * request.text.length);
    this.#reader = reader;
    const begun = performance.now();
    const { milliseconds: limit } = this.#limits;
    const timer = setTimeout(() => this.#speaker?.kill(`took more than ${limit} ms`), limit);
    const name = await this.#writeRequest(request, nonce);
    this.#speaker?.send(name);
    const answer = await Promise.race([reader.answer, this.#run.then(() => undefined)]);
    clearTimeout(timer);
    this.#reader = undefined;
    const milliseconds = Math.round(performance.now() - begun);
    if (answer === undefined) return this.#ended(milliseconds, compiled);
    if (answer.kind === "stopped") this.#speaker?.kill(answer.why);
    return { answer: inFile(answer, request.file), milliseconds, compiled };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#speaker?.kill("is not needed any more");
    await this.#run;
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #hasBegun(): Promise<boolean> {
    const timer = setTimeout(() => this.#speaker?.kill("did not begin"), beginningMilliseconds);
    const hasBegun = await this.#begun;
    clearTimeout(timer);
    return hasBegun;
  }

  async #write(request: Request, compiled: string): Promise<void> {
    await mkdir(join(this.#folder, String(this.#asked)));
    await mkdir(compiled);
    await writeFile(join(this.#folder, String(this.#asked), "input.lean"), request.text);
    const { statements } = request;
    if (statements === undefined) return;
    await writeFile(join(this.#folder, String(this.#asked), "statements.lean"), statements);
  }

  async #writeRequest(request: Request, nonce: string): Promise<string> {
    const { module, imports, claims, library } = request;
    const last = module.split(".").at(-1) ?? module;
    const output = request.isCompiled ? `out/${this.#asked}/${last}.olean` : "-";
    const input = `${this.#asked}/input.lean`;
    const statements = request.statements === undefined ? "-" : `${this.#asked}/statements.lean`;
    const names = claims.join(",");
    const lines = [nonce, input, module, `${module} ${imports}`, names, library, output, statements];
    const name = `${this.#asked}/request`;
    await writeFile(join(this.#folder, name), lines.map((line) => line.replaceAll("\n", " ")).join("\n"));
    return name;
  }

  async #ended(milliseconds: number, compiled: string): Promise<Reply> {
    const run = await this.#run;
    return { answer: { kind: "stopped", why: complaintOf(run) }, milliseconds, compiled };
  }

  #hear(line: string): void {
    if (line === '{"ready":true}') this.#heardReady();
    else this.#reader?.hear(line);
  }
}

/** Messages under the file's own name: Lean has read a copy. */
function inFile(answer: Answer, file: string): Answer {
  if (answer.kind === "stopped") return answer;
  return { ...answer, messages: answer.messages.map((message) => ({ ...message, file })) };
}
