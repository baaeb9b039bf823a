import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { exactPrograms, floatPrograms, taskAt } from "../../oracle/programs/index.ts";
import {
  checkProgram,
  checkProgramCase,
  checkProgramVector,
  encodeProgramCase,
  encodeProgramVector,
  type ProgramVector,
} from "../documents/index.ts";
import type { Program, Statement } from "../programs/index.ts";
import { parseJson } from "../wire/index.ts";
import { programText } from "./program_writer.ts";
import { readText } from "./read.ts";
import { programCaseText, programVectorText, wrongText } from "./session_writer.ts";

const suite = new URL("../../conformance/suites/state/", import.meta.url);

const vectors: readonly ProgramVector[] = readdirSync(suite).map((file) => {
  const json = parseJson(readFileSync(new URL(file, suite), "utf8"));
  const checked = json.ok ? checkProgramVector(json.value) : json;
  if (!checked.ok) throw new Error(`${file} is no vector`);
  return checked.value;
});

/** The document that a text denotes, as JSON; what is wrong with the text, if it denotes none. */
function documentIn(text: string): unknown {
  const read = readText(text);
  return read.ok ? JSON.parse(JSON.stringify(read.value[0]?.json)) : read.error;
}

/** Reads what was written of a vector, by a writer that may change it. */
function isVectorAgain(vector: ProgramVector, change: (text: string) => string = (text) => text): boolean {
  const checked = checkProgramVector(documentIn(change(programVectorText(vector))));
  return checked.ok && isSame(encodeProgramVector(checked.value), encodeProgramVector(vector));
}

function isSame(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}

/** A program of one procedure with these statements. */
function programOf(body: readonly Statement[], more: Partial<Program> = {}): Program {
  const main = { name: "main", parameters: [{ name: "x", kind: "value", shape: [3] }], body, results: [] };
  const checked = checkProgram({
    ...{ format: "adjudge.program.v1", state: [], environment: [], procedures: [main] },
    ...more,
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value;
}

describe("What is written is read as the same", () => {
  test("for every vector of a program", () => {
    expect(vectors.length).toBeGreaterThan(200);
    for (const vector of vectors) expect(isVectorAgain(vector), vector.name).toBe(true);
  });

  test.each([floatPrograms, exactPrograms])("for drawn programs ($name)", (profile) => {
    for (let index = 0; index < 120; index++) {
      const { case: question } = taskAt(profile, 33, index);
      const checked = checkProgramCase(documentIn(programCaseText(question)));
      expect(checked.ok && encodeProgramCase(checked.value), `program ${index}`).toEqual(
        encodeProgramCase(question),
      );
    }
  });

  test("for a wrong program below a vector, whose names are of its own", () => {
    for (const vector of vectors) {
      const wrong = { part: "sweep", program: vector.case.program } as const;
      const text =
        programVectorText(vector) + wrongText("a fault", wrong) + wrongText("other", wrong, "lines");
      const read = readText(text);
      const [document] = read.ok ? read.value : [];
      expect(document?.wrong?.get("a fault"), vector.name).toEqual(wrong);
      expect(document?.wrong?.get("other"), vector.name).toEqual(wrong);
    }
  });

  test("and a statement that is left out, turned round or weakened by a wrong writer is noticed", () => {
    const wrong: Readonly<Record<string, (text: string) => string>> = {
      "the else of a branch": (text) => text.replace(/^( *)else:/m, "$1if 1:"),
      "a turn less": (text) => text.replace(/ in ([0-9]+):/, " in 1$1:"),
      "less fuel": (text) => text.replace(/at most ([0-9]+)/, "at most 1$1"),
      "a step of a view": (text) => text.replace(/:2([,\]])/, "$1"),
      "a start of a view": (text) => text.replace("[1:", "[0:"),
      "an update for a write": (text) => text.replace(" <- ", " += "),
      "another update": (text) => text.replace(" *= ", " += "),
      "a buffer for a detached view": (text) => text.replace("detach(", "buffer("),
      "operands of a difference": (text) => text.replace(/(\w+) - (\w+)$/m, "$2 - $1"),
      "the bracket of a sum": (text) => text.replace("/ (sqrt(s) + epsilon)", "/ sqrt(s) + epsilon"),
      "the key of a draw": (text) => text.replace(/key=\[(\w+), /, "key=[9, "),
      "the rate of a draw": (text) => text.replace("rate=0.5", "rate=0.25"),
      "which result is differentiated": (text) => text.replace(/ of 1 by/, " of 0 by"),
      "the mode of a derivative": (text) => text.replace("= jvp call", "= vjp call"),
      "what is retained": (text) => text.replace(/^ *retain .*\n/m, ""),
      "a release": (text) => text.replace(/^ *release .*\n/m, ""),
      "no_grad for checkpoint": (text) => text.replace("checkpoint:", "no_grad:"),
      "a reference by value": (text) => text.replace("(&", "("),
      "the order of what is received": (text) =>
        text.replace(/^receives (".*?".*? = )(\S+), (.* = )(\S+)/m, "receives $1$4, $3$2"),
      "the channel of what is sent": (text) => text.replace('send("', 'send("_'),
      "where the generator stands": (text) => text.replace("drawn 41", "drawn 40"),
      "a further call": (text) => text.replace(/^again\n[\s\S]*/m, ""),
      "what is expected of a result": (text) =>
        text.replace(/expect result (\w+) = /, "expect result $1 = 1"),
      "what is sent": (text) => text.replace(/expect sent .*\n/, ""),
      "how often is drawn": (text) => text.replace(/expect drawn .*\n/, ""),
      "that it is refused": (text) => text.replace(/expect refused .*\n/, "expect drawn 0\n"),
      "who must refuse": (text) => text.replace(/refuse never\n/, ""),
    };
    const unnoticed = Object.entries(wrong).filter(
      ([, change]) => !vectors.some((vector) => !isVectorAgain(vector, change)),
    );
    expect(unnoticed.map(([name]) => name)).toEqual([]);
  });

  test("whatever its names are", () => {
    const names = ["if", "for", "in", "of", "state", "return", "at", "retain", "call", "vjp", "max", "draw"];
    const odd = [
      '"',
      "a, b",
      "x y",
      "λ",
      "xλ",
      "é1",
      "%1",
      "%a b",
      "inf",
      "3",
      "__proto__",
      "#",
      "\\",
      "π = 3",
    ];
    for (const name of [...names, ...odd]) {
      const other = `${name}'`;
      const body: Statement[] = [
        { do: "buffer", name, from: "x" },
        { do: "view", name: other, of: name, how: { kind: "slice", starts: [1], sizes: [1], steps: [2] } },
        { do: "write", to: other, from: other },
        { do: "send", channel: name, from: name },
        {
          do: "for",
          counter: `${name}?`,
          times: 3,
          body: [
            {
              do: "view",
              name: `${name}!`,
              of: name,
              how: { kind: "slice", starts: [`${name}?`], sizes: [0], steps: [3] },
            },
            {
              do: "draw",
              name: `${name}:`,
              from: { kind: "uniform" },
              shape: [],
              key: [`${name}?`, 2 ** 32 - 1],
            },
          ],
        },
        { do: "if", condition: other, body: [], otherwise: [] },
        { do: "retain", of: "x" },
        { do: "release", of: name },
      ];
      const flat = body.filter(({ do: kind }) => kind !== "if");
      const program = programOf(flat, { environment: [{ name, shape: [0, 2], kind: "real" }] });
      expect(documentIn(programText(program, name)), name).toEqual(program);
    }
  });

  test("where a name of Δ is bound too, and where a value is not the one that comes next", () => {
    const program = programOf(
      [
        { do: "let", name: "c", op: "constant", attributes: { name: "c" }, operands: [] },
        { do: "let", name: "%1", op: "constant", attributes: { name: "d" }, operands: [] },
        { do: "let", name: "%2", op: "constant", attributes: { name: "c" }, operands: [] },
        { do: "let", name: "%3", op: "subtract", attributes: {}, operands: ["%2", "%1"] },
        { do: "let", name: "%9", op: "full", attributes: { shape: [3], value: -2 }, operands: [] },
        { do: "let", name: "%5", op: "pow", attributes: {}, operands: ["%9", "x"] },
        { do: "let", name: "%4", op: "negative", attributes: {}, operands: ["%5"] },
        { do: "let", name: "%6", op: "negative", attributes: {}, operands: ["%4"] },
        { do: "buffer", name: "b", from: "%6" },
      ],
      {
        environment: [
          { name: "c", shape: [], kind: "real" },
          { name: "d", shape: [], kind: "real" },
        ],
      },
    );
    expect(documentIn(programText(program))).toEqual(program);
  });

  test("with 3, 1 and no elements of an axis, by any step", () => {
    for (const size of [0, 1, 2, 3])
      for (const step of [1, 2, 5]) {
        const how = { kind: "slice", starts: [1], sizes: [size], steps: [step] } as const;
        const program = programOf([
          { do: "let", name: "y", op: "full", attributes: { shape: [12], value: 1 }, operands: [] },
          { do: "buffer", name: "b", from: "y" },
          { do: "view", name: "v", of: "b", how },
        ]);
        expect(documentIn(programText(program)), `${size} by ${step}`).toEqual(program);
      }
  });
});

test("A program reads as a person would write it", () => {
  const named = (name: string): string => {
    const found = vectors.find((vector) => vector.name === name);
    return found === undefined ? "" : programVectorText(found);
  };
  expect(named("adagrad_steps").split("\nnote")[0]).toBe(
    [
      "program adagrad_steps(gradient, rate, epsilon)",
      "  state x",
      "  state s",
      "  s += gradient * gradient",
      "  x -= rate * gradient / (sqrt(s) + epsilon)",
      "  return x: []",
    ].join("\n"),
  );
  expect(named("recursion_to_a_power").split("\nnote")[0]).toBe(
    [
      "program recursion_to_a_power",
      "  procedure main(x, n)",
      "    return call power(x, n): []",
      "  procedure power(v, n)",
      "    %2 = buffer(1)",
      "    if n:",
      "      %2 <- call power(v, n - 1) * v",
      "    return %2: []",
    ].join("\n"),
  );
});
