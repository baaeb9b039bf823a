import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Such a process answers each line of its input with one line. */
export class LineProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #closed: Promise<void>;
  #complaint = "";

  constructor(command: string, argv: readonly string[]) {
    const child = spawn(command, argv, { stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-2000);
    });
    // The end of its output tells that a process is gone.
    child.stdin.on("error", () => {});
    child.on("error", (problem) => {
      this.#complaint += problem.message;
    });
    this.#closed = new Promise((resolve) => child.once("close", () => resolve()));
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** Returns the answer; nothing if the process ended, or was ended since it took too long. */
  async ask(line: string, patience: number): Promise<string | undefined> {
    this.#child.stdin?.write(`${line}\n`);
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), patience);
    const { value, done } = await this.#lines.next();
    clearTimeout(timer);
    if (done !== true) return value;
    await this.#closed;
    return undefined;
  }

  /** Says how it ended, with the last line of its standard error. */
  get end(): string {
    const { signalCode, exitCode } = this.#child;
    const said = this.#complaint
      .trim()
      .split("\n")
      .findLast((line) => /error|fatal|memory|range/i.test(line));
    const how =
      signalCode === "SIGKILL" ? "took too long" : `ended (${signalCode ?? exitCode ?? "just now"})`;
    return said === undefined ? how : `${how}: ${said.trim().slice(0, 200)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await this.#closed;
    clearTimeout(timer);
  }
}
