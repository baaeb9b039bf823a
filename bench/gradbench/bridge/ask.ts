import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type Component, referenceStandard, truthOf } from "../../../oracle/index.ts";
import { nodeId } from "../../../spec/index.ts";
import { objectiveOf } from "../graphs/problem.ts";
import { type Input, type Module, numbersOf } from "./modules.ts";

/** What a tool's gradients of a module are, held against the truth of the same function. */
export interface Asked {
  readonly module: string;
  /** The tool has no such module, or says why it does not go on. */
  readonly missing?: string;
  readonly points: number;
  /** Numbers of gradients by whether a faithful computation of our graph may give them. */
  readonly within: number;
  readonly undecided: number;
  readonly outside: readonly Outside[];
}

/** A number that is farther from the truth than our graph's bound. A tool may compute by another formula. */
interface Outside {
  readonly input: Input;
  readonly place: number;
  readonly answer: number;
  readonly truth: string;
  readonly bound: number;
}

/** A tool has so long for an answer. */
const MAXIMUM_MILLISECONDS = 120_000;

/** A tool of GradBench in a process of its own, asked one message at a time. */
class Tool implements Disposable {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor([program, ...words]: readonly [string, ...string[]]) {
    this.#process = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
    this.#process.stdin.on("error", () => undefined);
    this.#process.on("error", () => undefined);
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** Sends a message and returns the response with its id. Rejects where there is none. */
  async send(message: object): Promise<Readonly<Record<string, unknown>>> {
    const id = this.#id++;
    this.#process.stdin.write(`${JSON.stringify({ id, ...message })}\n`);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("the tool does not answer")), MAXIMUM_MILLISECONDS);
    try {
      const line = await Promise.race([this.#lines.next(), late.promise]);
      if (line.done === true) throw new Error("the tool ended");
      const json: unknown = JSON.parse(line.value);
      if (typeof json !== "object" || json === null || !("id" in json) || json.id !== id)
        throw new Error(`no response to ${id}: ${line.value.slice(0, 200)}`);
      return { ...json };
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    this.#process.kill();
  }
}

/** Asks a tool for gradients of a module at points that are drawn. Rejects where it breaks the protocol. */
export async function askTool(
  command: readonly [string, ...string[]],
  module: Module,
  points: number,
  draw: () => number,
): Promise<Asked> {
  using tool = new Tool(command);
  await tool.send({ kind: "start", eval: module.name });
  const defined = await tool.send({ kind: "define", module: module.name });
  if (defined.success !== true) {
    const missing = String(defined.error ?? "it has none");
    return { module: module.name, missing, points: 0, within: 0, undecided: 0, outside: [] };
  }
  const outside: Outside[] = [];
  let [within, undecided] = [0, 0];
  for (let point = 0; point < points; point++) {
    const input = module.input(draw);
    const asked = { kind: "evaluate", module: module.name, function: "gradient" };
    const reply = await tool.send({ ...asked, input: { ...input, min_runs: 1, min_seconds: 0 } });
    if (reply.success !== true) {
      const missing = String(reply.error ?? "it has no success");
      return { module: module.name, missing, points: point, within, undecided, outside };
    }
    const answers = numbersOf({ output: reply.output }, "output");
    const truths = cotangentsOf(module, input);
    if (answers.length !== truths.length)
      throw new Error(`${answers.length} numbers, and the gradient has ${truths.length}`);
    for (const [place, truth] of truths.entries()) {
      const answer = answers[place] ?? Number.NaN;
      const judged = truth.judge(answer);
      if (judged === "within") within++;
      else if (judged === "undecided") undecided++;
      else outside.push({ input, place, answer, truth: truth.expected, bound: truth.bound });
    }
  }
  return { module: module.name, points, within, undecided, outside };
}

/** Returns what is true of each number of a module's gradient. */
export function cotangentsOf(module: Module, input: Input): readonly Component[] {
  const { graph, point } = module.problem(input);
  const tangents = point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 1) }));
  const seeds = [{ id: objectiveOf(graph), cotangent: { shape: [], data: Float64Array.of(1) } }];
  return truthOf({ graph, point, tangents, seeds }, referenceStandard("float64")).cotangent(nodeId(0));
}
