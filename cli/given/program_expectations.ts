import { showExact } from "../../conformance/report/index.ts";
import { judgeProgram, recordedCase, sessionCases, taskOfVector } from "../../oracle/programs/index.ts";
import { operatorNames } from "../../spec/composites/index.ts";
import type { ProgramAnswer } from "../../spec/contract/index.ts";
import {
  type Engine,
  type ProgramCall,
  type ProgramReply,
  referenceConventions,
} from "../../spec/contract/index.ts";
import type { ExpectedCall, ProgramVector } from "../../spec/documents/index.ts";
import { statementKinds } from "../../spec/programs/index.ts";
import { formatIssue, type Issue } from "../../spec/shapes/index.ts";

/**
 * Returns an issue if something that the vector of a program expects is not true: an engine that answers
 * what is expected is judged. Its first fault is told. Cost: as judging the program.
 */
export async function untrueOfProgram(vector: ProgramVector): Promise<Issue[]> {
  const { case: first, calls, expected } = vector;
  for (const [i, call] of sessionCases(first, calls).entries()) {
    const refused = refusalIssue(expected[i], recordedCase(call), `/expected/${i}`);
    if (refused !== undefined) return [refused];
  }
  const asked = { turn: -1 };
  const engine = answering(expected, asked);
  const verdict = await judgeProgram(
    engine,
    taskOfVector({ ...vector, refuse: expected.at(-1)?.kind === "refused" ? "must" : "never" }),
    { dtype: "float64", shrinkBudget: 0 },
  );
  if (verdict.kind !== "disagrees") return [];
  const { part, place, element, expected: right } = verdict.witness;
  const list = { result: "results", derivative: "cotangents", draw: "results", refusal: "results" } as const;
  const named = part in list ? Reflect.get(list, part) : part;
  const pointer = `/expected/${asked.turn}/${named}/${place}`;
  const what = part === "derivative" ? "cotangent" : part === "retained" ? "retained cotangent" : part;
  return [untrueIssue(pointer, `element ${element} of the ${what} expected here`, right)];
}

/** Returns the issue of a call that is expected to be refused and is not, or for another reason. */
function refusalIssue(
  expected: ExpectedCall | undefined,
  recorded: ReturnType<typeof recordedCase>,
  pointer: string,
): Issue | undefined {
  if (recorded.ok)
    return expected?.kind === "refused"
      ? untrueIssue(pointer, "the refusal expected here", "an answer")
      : undefined;
  const [issue] = recorded.error;
  if (issue === undefined || (expected?.kind === "refused" && expected.code === issue.code)) return undefined;
  return untrueIssue(pointer, "what is expected here", `a refusal, ${formatIssue(issue)}`);
}

/** Makes an engine that runs no program, and answers what is expected; it notes which call was the last. */
function answering(expected: readonly ExpectedCall[], asked: { turn: number }): Engine {
  const answered = ({ mode, session }: ProgramCall): ProgramReply<ProgramAnswer> => {
    const isBegun = expected.slice(0, asked.turn + 1).some(({ kind }) => kind === "left");
    const isOver = asked.turn + 1 >= expected.length;
    asked.turn = session === undefined || !(isBegun || isOver) ? asked.turn + 1 : 0;
    const left = expected[asked.turn];
    if (left?.kind === "refused") return { kind: "refused", reason: "so it is expected" };
    const isSwept = mode !== "vjp" || (left?.kind === "left" && left.cotangents.length > 0);
    if (left?.kind !== "left" || !isSwept) return { kind: "unsupported", reason: "nothing is expected" };
    const { results, state, sent, drawn, cotangents, retained } = left;
    const swept = mode === "vjp" ? { derivative: cotangents, retained } : { derivative: [], retained: [] };
    return { kind: "result", value: { results, state, sent, drawn, draws: [], ...swept } };
  };
  return {
    describe: () => ({
      name: "what is expected",
      version: "0",
      language: "text",
      links: [],
      dtypes: ["float64"],
      operators: operatorNames,
      modes: ["evaluate", "vjp"],
      conventions: referenceConventions,
      accuracy: {},
    }),
    load: async () => ({ kind: "unsupported", reason: "it runs no graph" }),
    programs: {
      describePrograms: () => ({ statements: statementKinds }),
      loadProgram: async () => ({
        kind: "result",
        value: { call: async (call) => answered(call), unload: async () => {} },
      }),
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Returns the issue of an expectation that is not true. */
export function untrueIssue(pointer: string, what: string, right: string): Issue {
  return {
    code: "text/untrue",
    pointer,
    message: `${what} is not true: it is ${showExact(right)}.`,
    hint: "correct what is expected, or what is asked; low..high is any number between two",
  };
}
