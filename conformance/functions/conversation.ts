import {
  type AskedFunction,
  type FunctionVerdict,
  judgeFunction,
  type Posed,
} from "../../oracle/functions/index.ts";
import { type Reply, referenceConventions } from "../../spec/contract/index.ts";
import {
  checkFunctionQuestion,
  encodePoint,
  encodeSeeds,
  type FunctionQuestion,
} from "../../spec/documents/index.ts";
import type { Budget } from "../../spec/expansion/index.ts";
import { fail, formatIssue, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import {
  encodeTensor,
  type FlatTensor,
  type ReplyMessage,
  type RequestMessage,
} from "../../spec/wire/index.ts";
import {
  type Command,
  defaultLimits,
  introduce,
  type Limits,
  readTensors,
  type Session,
  type Start,
  type Unnumbered,
} from "../runner/index.ts";
import { functionVerdictJson, type Owner } from "./told.ts";

/** A question was judged. */
interface JudgedFunction {
  readonly question: FunctionQuestion;
  readonly verdict: FunctionVerdict;
  readonly owner: Owner;
}

/** A question may be brought whenever somebody thinks of one: the longest wait that a timer takes. */
const PATIENCE = 2 ** 31 - 1;

/** Judging a question may take this much. */
export interface ConversationOptions {
  readonly limits?: Partial<Limits>;
  readonly start?: Start;
  readonly budget?: Budget;
  readonly isOver?: () => boolean;
}

/**
 * Asks a testee for questions about functions of its own, judges each by asking the testee, and tells it the
 * verdict, until it has no more. Fails: as {@link introduce} does; `engine/brings` for a testee that brings
 * none; `engine/fault` if it breaks the protocol.
 */
export async function* converse(
  command: Command,
  options: ConversationOptions = {},
): AsyncGenerator<Result<JudgedFunction, Issue[]>> {
  const limits = { ...defaultLimits, ...options.limits };
  const introduced = await introduce(command, limits, 1, options.start);
  if (!introduced.ok) {
    yield introduced;
    return;
  }
  const { session, description, capabilities } = introduced.value;
  try {
    if (capabilities.brings !== true) {
      yield fail([bringsNothing]);
      return;
    }
    const talk = new Conversation(session, description, options);
    for (;;) {
      const judged = await talk.next();
      if (judged === undefined) return;
      yield judged;
      if (!judged.ok) return;
    }
  } finally {
    if (session.isAlive) await session.close();
  }
}

const bringsNothing: Issue = {
  code: "engine/brings",
  pointer: "/brings",
  message: "the engine brings no questions about functions of its own.",
  hint: 'its hello says "brings": true if it does: docs/protocol.md#questions-that-a-testee-brings',
};

/** A question that was brought has its number. */
interface Brought extends Posed {
  readonly number: number;
}

/** One testee's side of the wire, with the numbers of requests and questions. */
class Conversation {
  readonly #session: Session;
  readonly #owner: Owner;
  readonly #options: ConversationOptions;
  /** 1 was `hello`. */
  #last = 1;
  #questions = 0;

  constructor(session: Session, owner: Owner, options: ConversationOptions) {
    this.#session = session;
    this.#owner = owner;
    this.#options = options;
  }

  /** Judges the next question; `undefined` if there is none. */
  async next(): Promise<Result<JudgedFunction, Issue[]> | undefined> {
    this.#questions += 1;
    const number = this.#questions;
    const reply = await this.#ask({ kind: "bring", program: number }, PATIENCE);
    if (!reply.ok) return fail([brokenOff(reply.error)]);
    if (reply.value.kind === "done") return undefined;
    if (reply.value.kind === "error")
      return fail([brokenOff(`no question could be brought: ${reply.value.message}`)]);
    if (reply.value.kind !== "question") return fail([await this.#wrongKind("bring", reply.value)]);
    const checked = checkFunctionQuestion(reply.value.question);
    const question = checked.ok ? checked.value : namedOnly(reply.value.question);
    const verdict = checked.ok
      ? await this.#judged(this.#posed(number, checked.value))
      : malformed(checked.error);
    const owner = this.#owner;
    const told = {
      kind: "verdict",
      program: number,
      verdict: functionVerdictJson(question, verdict, owner),
    } as const;
    const heard = await this.#ask(told);
    if (!heard.ok) return fail([brokenOff(heard.error)]);
    return ok({ question, verdict, owner });
  }

  async #judged(brought: Brought): Promise<FunctionVerdict> {
    const { budget, isOver } = this.#options;
    const { resizes, isPointwise } = brought.question;
    return judgeFunction(brought, {
      ...(budget === undefined ? {} : { budget }),
      ...(isOver === undefined ? {} : { isOver }),
      ...(resizes
        ? { smaller: (shapes) => this.#again(brought, { shapes: shapes.map((one) => [...one]) }) }
        : {}),
      ...(isPointwise
        ? { at: ({ point }) => this.#again(brought, { at: encodePoint(point, "base64") }) }
        : {}),
    });
  }

  /** Has a question brought once more, at other shapes or as it is at a point. */
  async #again(
    { number: like, question }: Brought,
    how: Pick<Extract<RequestMessage, { readonly kind: "bring" }>, "shapes" | "at">,
  ): Promise<Brought | undefined> {
    this.#questions += 1;
    const number = this.#questions;
    const reply = await this.#ask({ kind: "bring", program: number, like, ...how });
    if (!reply.ok || reply.value.kind !== "question") return undefined;
    const checked = checkFunctionQuestion(reply.value.question);
    if (!checked.ok) return undefined;
    const { points, seed, dtype } = question;
    return this.#posed(number, { ...checked.value, points, seed, dtype });
  }

  #posed(number: number, question: FunctionQuestion): Brought {
    const program = { program: number };
    const asked: AskedFunction = {
      evaluate: (point) =>
        this.#tensors(question, { kind: "evaluate", ...program, point: encodePoint(point, "base64") }),
      vjp: (point, seeds) =>
        this.#tensors(question, {
          kind: "vjp",
          ...program,
          point: encodePoint(point, "base64"),
          seeds: encodeSeeds(seeds, "base64"),
        }),
      jvp: (point, tangents) =>
        this.#tensors(question, {
          kind: "jvp",
          ...program,
          point: encodePoint(point, "base64"),
          tangents: tangents.map((tangent) => encodeTensor(tangent, "base64")),
        }),
    };
    return { number, question, asked };
  }

  async #tensors(
    { dtype }: FunctionQuestion,
    request: Unnumbered<RequestMessage>,
  ): Promise<Reply<readonly FlatTensor[]>> {
    const reply = await this.#ask(request);
    if (!reply.ok) return { kind: "crashed", message: reply.error };
    const { value } = reply;
    switch (value.kind) {
      case "tensors":
        return readTensors(value.tensors, dtype);
      case "error":
        return { kind: "error", message: value.message };
      case "unsupported":
        return { kind: "unsupported", reason: value.reason };
      default:
        return { kind: "crashed", message: (await this.#wrongKind(request.kind, value)).message };
    }
  }

  async #ask(
    request: Unnumbered<RequestMessage>,
    milliseconds?: number,
  ): Promise<Result<ReplyMessage, string>> {
    this.#last += 1;
    const id = this.#last;
    const outcome = await this.#session.request(
      { id, ...request },
      `request ${id} (${request.kind})`,
      milliseconds,
    );
    if (outcome.kind === "reply") return ok(outcome.reply);
    return fail(outcome.kind === "lost" ? outcome.why : "the request is longer than a line may be");
  }

  async #wrongKind(asked: string, { kind }: ReplyMessage): Promise<Issue> {
    return brokenOff(await this.#session.kill(`answered ${asked} with ${kind}`, true));
  }
}

function brokenOff(why: string): Issue {
  return {
    code: "engine/fault",
    pointer: "",
    message: `${why}.`,
    hint: "docs/protocol.md says what is answered",
  };
}

function malformed(issues: readonly Issue[]): FunctionVerdict {
  const reason = `the question is malformed: ${issues.slice(0, 5).map(formatIssue).join("; ")}`;
  return { kind: "unsupported", reason, points: 0, numbers: 0, decided: 0 };
}

const nameless: FunctionQuestion = {
  name: "a question",
  graph: { format: "adjudge.graph.v1", inputs: [], environment: [], nodes: [] },
  outputs: [],
  wrt: [],
  modes: [],
  dtype: "float64",
  environment: new Map(),
  domain: { inputs: [], environment: new Map() },
  at: [],
  points: 0,
  seed: 0,
  sources: [],
  declared: { accuracy: {}, conventions: referenceConventions },
  resizes: false,
  isPointwise: false,
};

/** A question that cannot be read is told of by its name, if that can be read. */
function namedOnly(json: object): FunctionQuestion {
  return "name" in json && typeof json.name === "string" ? { ...nameless, name: json.name } : nameless;
}
