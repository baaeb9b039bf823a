import { expect, test } from "vitest";
import { dropDebugLines, readMessages } from "./messages.ts";

const json = JSON.stringify({
  severity: "error",
  fileName: "a.lean",
  pos: { line: 3, column: 7 },
  data: "no\nproof",
});
const error = { severity: "error", file: "a.lean", line: 3, column: 7, text: "no\nproof" };

test("a message is read from a line of JSON", () => {
  expect(readMessages(`${json}\n`)).toEqual({ messages: [error], rest: [] });
});

test("a plain message goes on until the next one", () => {
  const { messages } = readMessages(
    "a.lean:3:7: error: no\nproof\nb.lean:1:0: warning: odd\nc.lean:2:1: info: 4",
  );
  expect(messages).toEqual([
    error,
    { severity: "warning", file: "b.lean", line: 1, column: 0, text: "odd" },
    { severity: "information", file: "c.lean", line: 2, column: 1, text: "4" },
  ]);
});

test("an error with a name is an error", () => {
  const { messages } = readMessages("a.lean:1:2: error(lean.unknownIdentifier): Unknown identifier");
  expect(messages).toMatchObject([{ severity: "error", text: "Unknown identifier" }]);
});

test.each([
  "{",
  "{}",
  "null",
  '{"severity":"fine","data":"x"}',
  '{"severity":"error","data":7}',
  "ok",
  "a:b:c: error: x",
])("%s is no message", (line) => {
  expect(readMessages(line)).toEqual({ messages: [], rest: [line] });
});

test("the build's own progress is left out of what is on standard error, and nothing else", () => {
  const text = "[DEBUG:N] Reporting complete\n  - /lean/Init.olean\n  mainModule? = true\n- a list";
  expect(dropDebugLines(text)).toBe("- a list");
  const panic = "PANIC at outOfBounds Init.GetElem:17:2: index out of bounds\n";
  const other = "PANIC at Lean.Expr.bindingBody! Lean.Expr:1192:19: binding expected";
  expect(dropDebugLines(`${panic.repeat(600)}${other}\nno memory\n${panic}`)).toBe(`${other}\nno memory\n`);
});
