import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { type HandWritten, questionOf } from "../../oracle/functions/index.ts";
import { graph } from "../../spec/builder/index.ts";
import { encodeFunctionQuestion } from "../../spec/documents/index.ts";
import { type Issue, present, type Result } from "../../spec/shapes/index.ts";
import {
  encodeTensor,
  type FlatTensor,
  type FunctionVerdictJson,
  type ReplyMessage,
  type RequestMessage,
} from "../../spec/wire/index.ts";
import { type BroughtFunction, FunctionTestee } from "../testees/kit/functions.ts";
import { type ConversationOptions, converse } from "./conversation.ts";
import { startParent } from "./parent.ts";
import { functionLines } from "./told.ts";

/** A parent answers each line with some text; nothing more is written after `undefined`. */
type Parent = (request: RequestMessage) => Promise<string | undefined>;

/** Judges what a parent brings, through streams as those between two processes. */
async function judged(parent: Parent, options: ConversationOptions = {}): Promise<string[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.on("data", async (chunk: Buffer) => {
    for (const line of chunk.toString("utf8").trim().split("\n")) {
      const reply = await parent(JSON.parse(line));
      if (reply === undefined) input.end();
      else input.write(`${reply}\n`);
    }
  });
  const told: string[] = [];
  const command = { argv: ["a parent"] } as const;
  for await (const one of converse(command, { ...options, start: startParent({ input, output }) })) {
    told.push(
      one.ok
        ? functionLines(one.value.question, one.value.verdict, one.value.owner, {}).join("\n")
        : codes(one),
    );
  }
  return told;
}

function codes(failed: Extract<Result<never, Issue[]>, { readonly ok: false }>): string {
  return failed.error.map(({ code, message }) => `${code}: ${message}`).join("\n");
}

const cubed = graph(({ input }) => {
  const x = input("x", [2]);
  x.multiply(x)
    .multiply(x)
    .sum({ axes: [0], keepdims: false });
});
const numbers = ([tensor]: readonly FlatTensor[]): Float64Array => present(tensor, "a tensor").data;
const cube = (slope: number): HandWritten => ({
  value: (inputs) => [numbers(inputs).reduce((sum, x) => sum + x ** 3, 0)],
  vjp: (inputs, cotangents) => {
    const [bar = 0] = numbers(cotangents);
    return [numbers(inputs).map((x) => slope * x * x * bar)];
  },
});

const owner = { name: "kernels", version: "1.0", links: [] };

function bringing(functions: readonly BroughtFunction[]): Parent {
  const testee = new FunctionTestee(owner, functions);
  return async (request) => JSON.stringify(await testee.answer(JSON.stringify(request)));
}

/** A parent that says who it is and then does this. */
function introduced(then: (request: RequestMessage) => Partial<ReplyMessage> | string | undefined): Parent {
  return async (request) => {
    const hello = {
      dtypes: ["float64"],
      operators: [],
      modes: [],
      brings: true,
      links: [],
      language: "none",
    };
    const reply =
      request.kind === "hello"
        ? { kind: "hello", protocol: 1, name: "a", version: "1", ...hello }
        : then(request);
    return typeof reply === "object" ? JSON.stringify({ id: request.id, ...reply }) : reply;
  };
}

describe("a conversation with whoever brings functions", () => {
  test("judges each, and tells the verdict to who brought it", async () => {
    const told: FunctionVerdictJson[] = [];
    const bring = (name: string, slope: number): BroughtFunction => {
      return { name, graph: cubed, written: cube(slope), points: 10, told: (verdict) => told.push(verdict) };
    };
    const lines = await judged(bringing([bring("right", 3), bring("wrong", 3.003), bring("right again", 3)]));
    expect(lines).toEqual([
      expect.stringMatching(/^✓ right \(kernels 1\.0, float64\) agrees: 30 numbers at 10 points$/),
      expect.stringMatching(
        /^error\[wrong-derivative\]: wrong \(kernels[\s\S]*blame: The whole gradient is 1\.001 times/,
      ),
      expect.stringMatching(/^✓ right again /),
    ]);
    expect(told.map(({ kind }) => kind)).toEqual(["agrees", "disagrees", "agrees"]);
    expect(told[1]?.witness).toMatchObject({
      mode: "vjp",
      place: 0,
      element: [0],
      answered: expect.any(String),
    });
    expect(told[1]?.text).toBe(lines[1]);
  });

  test("ends where the parent closes its stream, or says that it has no more", async () => {
    expect(await judged(introduced(() => ({ kind: "done" })))).toEqual([]);
    expect(await judged(introduced(() => undefined))).toEqual([
      expect.stringMatching(/engine\/fault: .*closed/),
    ]);
  });

  test.each([
    ["no JSON", () => "what?", /engine\/fault: .*not JSON/],
    [
      "another kind of reply",
      () => ({ kind: "tensors" as const, tensors: [] }),
      /engine\/fault: .*bring.*with tensors/,
    ],
    ["an error", () => ({ kind: "error" as const, message: "no time" }), /engine\/fault: .*no time/],
  ])("does not believe %s", async (_, reply, message) => {
    expect(await judged(introduced(reply))).toEqual([expect.stringMatching(message)]);
  });

  test("refuses whoever brings nothing", async () => {
    const silent: Parent = async ({ id }) => {
      const hello = { dtypes: ["float64"], operators: ["add"], modes: ["vjp"], links: [], language: "none" };
      return JSON.stringify({ id, kind: "hello", protocol: 1, name: "a", version: "1", ...hello });
    };
    expect(await judged(silent)).toEqual([expect.stringMatching(/^engine\/brings/)]);
  });

  test("tells what is wrong with a question, and goes on", async () => {
    let asked = 0;
    const verdicts: string[] = [];
    const parent = introduced((request) => {
      if (request.kind === "verdict") {
        verdicts.push(request.verdict.text);
        return { kind: "done" };
      }
      asked += 1;
      const question = { format: "adjudge.question.v1", name: "odd", points: -1 };
      return asked <= 2 ? { kind: "question", question } : { kind: "done" };
    });
    expect(await judged(parent)).toHaveLength(2);
    expect(verdicts[0]?.replaceAll(/\s+/g, " ")).toMatch(
      /odd .*was not asked: the question is malformed: .*schema\/required/,
    );
  });

  test("looks for smaller extents, where the question can be brought again", async () => {
    const shapes: string[] = [];
    const lengthy = (size: number) =>
      graph(({ input }) =>
        input("x", [size])
          .square()
          .sum({ axes: [0], keepdims: false }),
      );
    const written: HandWritten = {
      vjp: (inputs, cotangents) => {
        const [bar = 0] = numbers(cotangents);
        const x = numbers(inputs);
        // The last of several elements is left out.
        return [x.map((one, i) => (i > 0 && i === x.length - 1 ? 0 : 2 * one * bar))];
      },
    };
    const testees = new Map<number, FunctionTestee>();
    const parent: Parent = async (request) => {
      if (request.kind === "bring" && request.shapes === undefined && testees.size > 0) {
        return JSON.stringify({ id: request.id, kind: "done" });
      }
      if (request.kind === "bring") {
        const size = request.shapes?.[0]?.[0] ?? 12;
        shapes.push(`[${size}]`);
        const testee = new FunctionTestee(owner, [{ graph: lengthy(size), written, points: 5 }]);
        testees.set(request.program, testee);
        const { like: _, shapes: __, ...plain } = request;
        const reply = await testee.answer(JSON.stringify(plain));
        const question = reply?.kind === "question" ? { ...reply.question, resizes: true } : {};
        return JSON.stringify({ ...reply, question });
      }
      const testee = "program" in request ? testees.get(request.program) : new FunctionTestee(owner, []);
      return JSON.stringify(await testee?.answer(JSON.stringify(request)));
    };
    const [line] = await judged(parent);
    expect(line).toMatch(
      /given: x = \[2, 3\]; cotangent of value = 3\n +dL\/dx\[1\]: got 0, want exactly|dL\/dx\[1\]: got 0, want 18/,
    );
    expect(shapes).toContain("[2]");
  });

  test("asks for the graph at each point, where the branch taken depends on numbers", async () => {
    const branch = (x: number) =>
      graph(({ input }) => (x < 0 ? input("x").multiply(3) : input("x").square()));
    const points: number[] = [];
    const parent = introduced((request) => {
      if (request.kind === "verdict") return { kind: "done" };
      if (request.kind === "bring") {
        if (request.at === undefined && request.program > 1) return { kind: "done" };
        const [x = 0] = request.at === undefined ? [1] : numbersOf(request.at.inputs[0]);
        points.push(x);
        const question = questionOf(cube(3), branch(x), { points: 12 });
        return question.ok
          ? { kind: "question", question: { ...encodeFunctionQuestion(question.value), pointwise: true } }
          : undefined;
      }
      if (!("point" in request)) return undefined;
      const [x = 0] = numbersOf(request.point.inputs[0]);
      const [bar = 0] = request.kind === "vjp" ? numbersOf(request.seeds[0]?.cotangent) : [1];
      const answer = request.kind === "vjp" ? (x < 0 ? 3 : 2 * x) * bar : x < 0 ? 3 * x : x * x;
      return { kind: "tensors", tensors: [encodeTensor({ shape: [], data: Float64Array.of(answer) })] };
    });
    expect(await judged(parent)).toEqual([
      expect.stringMatching(/^✓ .*agrees: 2[0-9] numbers at 12 points$/),
    ]);
    expect(points.some((x) => x < 0) && points.some((x) => x > 0)).toBe(true);
  });
});

function numbersOf(tensor: unknown): Float64Array {
  if (typeof tensor !== "object" || tensor === null || !("base64" in tensor)) throw new Error("no tensor");
  const bytes = Buffer.from(String(tensor.base64), "base64");
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
