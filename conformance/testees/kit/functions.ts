import {
  type AskedFunction,
  askedHere,
  type FunctionAsking,
  type HandWritten,
  questionOf,
} from "../../../oracle/functions/index.ts";
import type { Description } from "../../../spec/contract/index.ts";
import {
  decodePoint,
  decodeSeeds,
  decodeTangents,
  encodeFunctionQuestion,
  type FunctionQuestion,
  validateRequest,
} from "../../../spec/documents/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { formatIssue } from "../../../spec/shapes/index.ts";
import {
  type EvaluateRequest,
  type FunctionVerdictJson,
  type JvpRequest,
  PROTOCOL_VERSION,
  type PullbackRequest,
  type ReplyMessage,
  type RequestMessage,
} from "../../../spec/wire/index.ts";
import { type ReplyBody, tensorsOf, wrongRequest } from "./reply_body.ts";

/** Whose functions they are. */
export type FunctionOwner = Pick<Description, "name" | "version" | "links">;

/** A function, the graph that says what it means, and how it is asked. */
export interface BroughtFunction extends FunctionAsking {
  readonly written: HandWritten;
  readonly graph: Graph;
  /** Hears of the verdict. */
  told?(verdict: FunctionVerdictJson): void;
}

interface Posed {
  readonly question: FunctionQuestion;
  readonly asked: AskedFunction;
  readonly brought: BroughtFunction;
}

/** Answers a judge's requests about functions of this process, without exceptions. */
export class FunctionTestee {
  readonly #owner: FunctionOwner;
  readonly #waiting: BroughtFunction[];
  readonly #posed = new Map<number, Posed>();

  constructor(owner: FunctionOwner, functions: readonly BroughtFunction[]) {
    this.#owner = owner;
    this.#waiting = [...functions];
  }

  /** Returns the reply to one line; `undefined` if it has no id, because it is no message at all. */
  async answer(line: string): Promise<ReplyMessage | undefined> {
    const id = idOf(line);
    if (id === undefined) return undefined;
    const request = validateRequest(JSON.parse(line));
    return { id, ...(request.ok ? await this.#reply(request.value) : wrongRequest(request.error)) };
  }

  async #reply(request: RequestMessage): Promise<ReplyBody> {
    switch (request.kind) {
      case "hello": {
        const has = { dtypes: ["float64" as const], operators: [], modes: [], brings: true };
        return { kind: "hello", protocol: PROTOCOL_VERSION, language: "JavaScript", ...this.#owner, ...has };
      }
      case "bring":
        return this.#bring(request.program, request.like);
      case "verdict": {
        this.#posed.get(request.program)?.brought.told?.(request.verdict);
        this.#posed.delete(request.program);
        return { kind: "done" };
      }
      case "evaluate":
      case "vjp":
      case "jvp":
        return this.#answer(request);
      default:
        return { kind: "unsupported", reason: "this process brings functions, and runs no graphs" };
    }
  }

  #bring(number: number, like: number | undefined): ReplyBody {
    if (like !== undefined)
      return { kind: "unsupported", reason: "the graphs here have the shapes that they have" };
    const brought = this.#waiting.shift();
    if (brought === undefined) return { kind: "done" };
    const question = questionOf(brought.written, brought.graph, brought);
    if (!question.ok) return { kind: "error", message: question.error.map(formatIssue).join("; ") };
    const asked = askedHere(question.value, brought.written);
    this.#posed.set(number, { question: question.value, asked, brought });
    return { kind: "question", question: encodeFunctionQuestion(question.value) };
  }

  async #answer(request: EvaluateRequest | JvpRequest | PullbackRequest): Promise<ReplyBody> {
    const posed = this.#posed.get(request.program);
    if (posed === undefined) return { kind: "error", message: `no question ${request.program} was brought` };
    const { graph } = posed.question;
    const point = decodePoint(graph, request.point, "/point");
    if (!point.ok) return wrongRequest(point.error);
    if (request.kind === "evaluate") return tensorsOf(await posed.asked.evaluate(point.value), "base64");
    if (request.kind !== "jvp") {
      const seeds = decodeSeeds(shapesOf(graph), request.seeds, "/seeds");
      if (!seeds.ok) return wrongRequest(seeds.error);
      return tensorsOf(await posed.asked.vjp(point.value, seeds.value), "base64");
    }
    const tangents = decodeTangents(graph, request.tangents, "/tangents");
    if (!tangents.ok) return wrongRequest(tangents.error);
    return tensorsOf(await posed.asked.jvp(point.value, tangents.value), "base64");
  }
}

function idOf(line: string): number | undefined {
  try {
    const json: unknown = JSON.parse(line);
    const id = typeof json === "object" && json !== null && "id" in json ? json.id : undefined;
    return typeof id === "number" ? id : undefined;
  } catch {
    return undefined;
  }
}
