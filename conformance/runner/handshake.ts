import { operatorNames } from "../../spec/composites/index.ts";
import { type Description, referenceConventions } from "../../spec/contract/index.ts";
import { fail, type Issue, ok, pointerTo, type Result, visible } from "../../spec/shapes/index.ts";
import { type HelloReply, PROTOCOL_VERSION, type ReplyMessage } from "../../spec/wire/index.ts";
import { limitIssues } from "./limit_issues.ts";
import type { Limits } from "./limits.ts";
import type { Command, Start } from "./process.ts";
import type { Capabilities } from "./promises.ts";
import { roundsValue } from "./rounding.ts";
import { Session } from "./session.ts";
import { addsUp } from "./sums.ts";

/** A testee that runs and has said who it is. */
export interface Introduced {
  readonly session: Session;
  readonly description: Description;
  readonly capabilities: Capabilities;
}

/**
 * Starts a testee and asks it who it is. After a failure the process is gone.
 * Fails: `engine/start` (no process, no answer, or no message of the protocol), `engine/handshake` (a message
 * that is no introduction).
 */
export async function introduce(
  command: Command,
  limits: Limits,
  id: number,
  start?: Start,
): Promise<Result<Introduced, Issue[]>> {
  const begun = begin(command, limits, start);
  if (!begun.ok) return fail([startIssue(command, begun.error)]);
  const session = begun.value;
  const hello = { id, kind: "hello", protocol: PROTOCOL_VERSION } as const;
  const outcome = await session.request(hello, `request ${id} (hello)`, limits.startMilliseconds);
  if (outcome.kind !== "reply") {
    const why = outcome.kind === "lost" ? outcome.why : "hello is longer than a line may be";
    return fail([startIssue(command, why)]);
  }
  const told = describe(outcome.reply);
  if (told.ok) return ok({ session, ...told.value });
  await session.kill("did not introduce itself", true);
  return told;
}

/** Begins a session. It fails if the system refuses the command: an empty name, a NUL, or too many words. */
function begin(command: Command, limits: Limits, start: Start | undefined): Result<Session, string> {
  try {
    return ok(new Session(command, limits, start));
  } catch (thrown) {
    return fail(
      `the engine could not be started: ${visible(thrown instanceof Error ? thrown.message : String(thrown))}`,
    );
  }
}

function startIssue({ argv }: Command, why: string): Issue {
  const byHand =
    "run the command by hand and type the hello of docs/protocol.md: it must answer with one line";
  return {
    code: "engine/start",
    pointer: "",
    message: `${visible(argv.join(" "))}: ${why}.`,
    hint: why.includes("No module named 'adjudge'") ? KIT : byHand,
  };
}

/** An adapter in Python imports the kit, which is in a folder of this package. */
const KIT =
  "the kit for Python is the folder python/src of this package: export PYTHONPATH=node_modules/adjudge/python/src";

/** Reads the reply to `hello`. */
function describe(reply: ReplyMessage): Result<Omit<Introduced, "session">, Issue[]> {
  switch (reply.kind) {
    case "hello":
      return checkHello(reply);
    case "error":
      return fail([handshakeIssue("", `the engine answered hello with an error: ${reply.message}`)]);
    case "unsupported":
      return fail([handshakeIssue("", `the engine does not support hello: ${reply.reason}`)]);
    default:
      return fail([handshakeIssue("/kind", `the engine answered hello with ${reply.kind}.`)]);
  }
}

function checkHello(hello: HelloReply): Result<Omit<Introduced, "session">, Issue[]> {
  const lists = ["dtypes", "operators", "modes", "statements"] as const;
  const issues = lists.flatMap((list) => {
    const names: readonly string[] = hello[list] ?? [];
    if (names.length === 0 && list !== "statements" && hello.brings !== true)
      return [handshakeIssue(`/${list}`, `the engine promises no ${list}.`)];
    return promisedTwice(`/${list}`, names);
  });
  issues.push(...promisedTwice("/tapes/lives", hello.tapes?.lives ?? []));
  issues.push(...promisedTwice("/estimates", hello.estimates ?? []));
  issues.push(...Object.keys(hello.accumulation ?? {}).flatMap(idleSum));
  issues.push(...Object.keys(hello.accuracy ?? {}).flatMap(idleAccuracy));
  issues.push(...limitIssues(hello));
  if (issues.length > 0) return fail(issues);
  const {
    name,
    version,
    language,
    links,
    dtypes,
    operators,
    modes,
    accuracy = {},
    accumulation = {},
    limits,
    saved,
    slopes,
    repeatable,
    tapes,
    estimates,
    statements = [],
    aliases,
    draws = "state",
    brings = false,
  } = hello;
  const conventions = { ...referenceConventions, ...hello.conventions };
  const description = {
    name,
    version,
    language,
    links,
    dtypes,
    operators,
    modes,
    conventions,
    accuracy,
    accumulation,
    ...(limits === undefined ? {} : { limits }),
    ...(saved === undefined ? {} : { saved }),
    ...(slopes === undefined ? {} : { slopes }),
    ...(repeatable === undefined ? {} : { repeatable }),
  };
  return ok({
    description,
    capabilities: {
      ...(statements.length === 0 ? {} : { programs: { statements, ...(aliases && { aliases }), draws } }),
      ...(tapes === undefined ? {} : { tapes }),
      ...(estimates === undefined ? {} : { estimates }),
      ...(brings ? { brings } : {}),
    },
  });
}

function promisedTwice(pointer: string, names: readonly string[]): Issue[] {
  const twice = names.find((name, position) => names.indexOf(name) < position);
  return twice === undefined ? [] : [handshakeIssue(pointer, `the engine promises ${twice} twice.`)];
}

/** Refuses a declaration about the sums of an operator that adds nothing up. */
function idleSum(name: string): Issue[] {
  const op = operatorNames.find((known) => known === name);
  if (op === undefined || addsUp(op)) return [];
  const message = `the engine declares how ${op} adds up, which adds nothing.`;
  const hint = "declare it of operators such as sum, mean, matmul or conv; leave out the others";
  return [{ ...handshakeIssue(pointerTo("/accumulation", op), message), hint }];
}

/** Refuses an accuracy of an operator whose value is exact. */
function idleAccuracy(name: string): Issue[] {
  const op = operatorNames.find((known) => known === name);
  if (op === undefined || roundsValue(op)) return [];
  const message = `the engine declares the accuracy of ${op}, which rounds nothing.`;
  const hint = "declare it of operators that compute; what only moves, chooses or counts numbers is exact";
  return [{ ...handshakeIssue(pointerTo("/accuracy", op), message), hint }];
}

function handshakeIssue(pointer: string, message: string): Issue {
  return {
    code: "engine/handshake",
    pointer,
    message,
    hint: "docs/protocol.md says what belongs into the answer to hello",
  };
}
