import { Buffer } from "node:buffer";
import { validateReply } from "../../spec/documents/index.ts";
import { counted, fail, formatIssue, ok, type Result, visible } from "../../spec/shapes/index.ts";
import { parseJson, type ReplyMessage, type RequestMessage } from "../../spec/wire/index.ts";
import type { Limits } from "./limits.ts";
import { type Command, type Ending, type Start, startProcess, type Talker } from "./process.ts";

/**
 * A request has a reply, is lost for some reason, if it `isDue` as the next one, or was too large to be sent.
 */
export type Outcome =
  | { readonly kind: "reply"; readonly reply: ReplyMessage }
  | { readonly kind: "lost"; readonly why: string; readonly isDue: boolean }
  | { readonly kind: "too large"; readonly bytes: number };

/** A request on its way. */
interface Pending {
  readonly id: number;
  /** The label is for people: `request 17 (vjp of program 3)`. */
  readonly label: string;
  readonly milliseconds: number;
  /** Is true if the outcome is reported to somebody; that of `unload` is not. */
  readonly isReported: boolean;
  settle(outcome: Outcome): void;
}

const EXCERPT_CHARACTERS = 120;

/**
 * An engine that owes so many answers is busy: more than a case asks at once, so no case waits for another.
 */
const ENOUGH_TO_DO = 8;

/** The most of an engine's name that is told. */
const LONGEST_NAME = 100;

/** So many last characters of standard error are told: most libraries fail with less. */
const LAST_WORDS = 1000;

/**
 * One life of a testee's process: requests go out with their ids, replies come back in their order. The first
 * thing that breaks the protocol ends it: the process is killed, every request on its way is lost, and
 * so are all later ones. Nothing a dead process wrote can therefore become the answer to anything else.
 */
export class Session {
  readonly #process: Talker;
  readonly #limits: Limits;
  #queue: Pending[] = [];
  /** The lines of the last requests in the queue, which wait to be sent together. */
  #held: string[] = [];
  #last = "the start";
  #fault: string | undefined;
  #isClosing = false;
  #hasEnded = false;
  #isReported = false;
  #timer: NodeJS.Timeout | undefined;
  /** Resolves to why the session is over, once it is. */
  readonly #over: Promise<string>;

  constructor(command: Command, limits: Limits, start: Start = startProcess) {
    this.#limits = limits;
    this.#process = start(command, limits, {
      line: (line) => this.#receive(line),
      fault: (what) => this.#break(what),
    });
    this.#over = this.#process.ended.then((ending) => this.#bury(ending));
  }

  /** Returns the longest line that can be sent. */
  get lineBytes(): number {
    return this.#limits.lineBytes;
  }

  /** Tells whether requests can be sent. A broken session is not alive though its process may still be. */
  get isAlive(): boolean {
    return this.#fault === undefined && !this.#hasEnded && !this.#isClosing;
  }

  /** Sends a request. The answer is awaited for `milliseconds` from when all earlier ones have come. */
  request(
    message: RequestMessage,
    label: string,
    milliseconds: number = this.#limits.requestMilliseconds,
  ): Promise<Outcome> {
    const line = JSON.stringify(message);
    // Three bytes a character is UTF-8's worst case, so most lines need not be measured.
    if (3 * line.length > this.#limits.lineBytes) {
      const bytes = Buffer.byteLength(line);
      if (bytes > this.#limits.lineBytes) return Promise.resolve({ kind: "too large", bytes });
    }
    const isReported = message.kind !== "unload";
    if (!this.isAlive) {
      this.#isReported ||= isReported;
      return this.#over.then((why) => ({ kind: "lost", why: `${label}: ${why}`, isDue: false }));
    }
    return new Promise((settle) => {
      this.#queue.push({ id: message.id, label, milliseconds, isReported, settle });
      if (this.#queue.length === 1) this.#startClock();
      this.#held.push(line);
      this.#sendHeld();
    });
  }

  /**
   * Sends what is held, unless the engine has enough to do until more is held: each line that is sent alone
   * wakes its process, which takes longer than to read it.
   */
  #sendHeld(): void {
    if (this.#queue.length - this.#held.length >= ENOUGH_TO_DO) return;
    // Who answers while a line is being sent finds none that is held.
    const lines = this.#held;
    this.#held = [];
    for (const line of lines) this.#process.send(line);
  }

  /**
   * Tells of a session that is over why it is, unless a request that was lost with it has reported it
   * already. So no fault goes unseen, though it came while nothing was asked. Asking counts as reporting.
   */
  async unreportedFault(): Promise<string | undefined> {
    const why = await this.#over;
    if (this.#isReported) return undefined;
    this.#isReported = true;
    return why;
  }

  /** Ends the input and waits for the process to exit; says what was not clean about that. */
  async close(): Promise<string | undefined> {
    this.#isClosing = true;
    for (const line of this.#held) this.#process.send(line);
    this.#process.close();
    const { code } = await this.#process.ended;
    const why = await this.#over;
    return this.#fault === undefined && code === 0 ? undefined : why;
  }

  /**
   * Ends a session whose engine wrote a well-formed message that makes no sense: `what` it did, as a verb
   * phrase. Returns why the session is over; `isReported` says whether the caller reports that.
   */
  async kill(what: string, isReported: boolean): Promise<string> {
    this.#break(what);
    this.#isReported ||= isReported;
    return this.#over;
  }

  #receive(line: string): void {
    const head = this.#queue[0];
    const reply = this.#read(line, head);
    if (!reply.ok || head === undefined) {
      this.#break(reply.ok ? "answered nobody" : reply.error);
      return;
    }
    this.#queue.shift();
    this.#last = head.label;
    this.#startClock();
    if (this.#held.length > 0) this.#sendHeld();
    head.settle({ kind: "reply", reply: reply.value });
  }

  /** Returns the reply that `line` is to the first request in the queue; or what the engine did instead. */
  #read(line: string, head: Pending | undefined): Result<ReplyMessage, string> {
    const json = parse(line);
    if (json === undefined) {
      const tooMuch = line.length > SHORT_LINE ? ", or too much of it" : "";
      return fail(`answered what is not JSON${tooMuch}: ${excerpt(line)}`);
    }
    if (head === undefined)
      return fail(`sent a line nobody asked for, after ${this.#last}: ${excerpt(line)}`);
    const id = idOf(json);
    if (id !== undefined && id !== head.id) return fail(this.#wrongId(id, head, line));
    const reply = validateReply(json);
    if (reply.ok) return ok(readable(reply.value));
    const issues = reply.error.slice(0, 3).map(formatIssue).join("; ");
    return fail(`answered what is not in the protocol: ${excerpt(line)} (${issues})`);
  }

  #wrongId(id: number, head: Pending, line: string): string {
    const isLater = this.#queue.some((pending) => pending.id === id);
    const what = isLater ? "out of order" : id < head.id ? "again, or too late" : "though it was never asked";
    return `answered ${id} ${what}, where the answer to ${head.label} was due: ${excerpt(line)}`;
  }

  /** Gives the first request in the queue its time. */
  #startClock(): void {
    clearTimeout(this.#timer);
    const head = this.#queue[0];
    if (head === undefined) return;
    this.#timer = setTimeout(() => {
      // If this process was too busy to listen, the answer may be waiting: listen once before the judgement.
      setImmediate(() => {
        if (this.#queue[0] === head) this.#break(`did not answer within ${head.milliseconds} ms`);
      });
    }, head.milliseconds);
  }

  /** Ends trust: kills the process. The requests on their way are told when it is gone. */
  #break(what: string): void {
    if (this.#fault !== undefined) return;
    this.#fault = what;
    clearTimeout(this.#timer);
    this.#process.kill();
  }

  /** The process is gone. Says why, and tells every request that is left. */
  #bury(ending: Ending): string {
    clearTimeout(this.#timer);
    const why = this.#inquest(ending);
    this.#hasEnded = true;
    const lost = this.#queue;
    this.#queue = [];
    this.#isReported ||= lost.some(({ isReported }) => isReported);
    lost.forEach((pending, position) => {
      const what = position === 0 ? why : `${why} (while it owed the answer to ${lost[0]?.label})`;
      pending.settle({ kind: "lost", why: `${pending.label}: ${what}`, isDue: position === 0 });
    });
    return lost.length > 0 ? why : `${why}, after ${this.#last}`;
  }

  #inquest({ how, unfinishedBytes, lastWords }: Ending): string {
    const did = this.#fault ?? how;
    const unfinished =
      this.#fault === undefined && unfinishedBytes > 0
        ? ` after ${counted(unfinishedBytes, "byte")} of an unfinished line`
        : "";
    const words =
      lastWords === "" ? "" : `; its last words on standard error: ${visible(lastWords.slice(-LAST_WORDS))}`;
    return `the engine ${did}${unfinished}${words}`;
  }
}

/** Makes the words of a reply fit to be shown, where they come in. */
function readable(reply: ReplyMessage): ReplyMessage {
  switch (reply.kind) {
    case "hello":
      return {
        ...reply,
        name: visible(reply.name, LONGEST_NAME),
        version: visible(reply.version, LONGEST_NAME),
        language: visible(reply.language, LONGEST_NAME),
        links: reply.links.map((link) => visible(link)),
      };
    case "error":
      return { ...reply, message: visible(reply.message) };
    case "unsupported":
    case "refused":
      return { ...reply, reason: visible(reply.reason) };
    default:
      return reply;
  }
}

/** Up to here a line cannot hold so many values that reading it costs more than some megabytes. */
const SHORT_LINE = 2 ** 20;

/** `undefined` is no JSON value. */
function parse(line: string): unknown {
  if (line.length > SHORT_LINE) {
    const json = parseJson(line);
    return json.ok ? json.value : undefined;
  }
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function idOf(message: unknown): number | undefined {
  if (typeof message !== "object" || message === null || !("id" in message)) return undefined;
  return typeof message.id === "number" ? message.id : undefined;
}

/** The start of a line for people, on one line whatever is in it. */
function excerpt(line: string): string {
  const length = line.length > EXCERPT_CHARACTERS ? ` (${line.length} characters)` : "";
  return `«${visible(line, EXCERPT_CHARACTERS)}»${length}`;
}
