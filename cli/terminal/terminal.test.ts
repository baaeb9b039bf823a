import { describe, expect, test } from "vitest";
import { processTerminal } from "./terminal.ts";

/** Returns a terminal on streams that keep what is written to them. */
function terminalOn(env: Readonly<Record<string, string>>, isTTY: boolean, columns?: number) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    isTTY,
    ...(columns === undefined ? {} : { columns }),
    write: (text: string) => {
      written[name] += text;
    },
  });
  const terminal = processTerminal({ env, stdout: stream("stdout"), stderr: stream("stderr") });
  return { terminal, written };
}

describe("the terminal", () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, false],
  ])("with %j, on a terminal: %s, is coloured: %s", (env, isTTY, isColoured) => {
    const { terminal } = terminalOn(env, isTTY);
    expect(terminal.palette.red("x") !== "x").toBe(isColoured);
  });

  test("shows progress to a person, and clears it before a line", () => {
    const { terminal, written } = terminalOn({}, true);
    terminal.progress("1 of 2");
    terminal.out("done");
    expect(written).toEqual({ stderr: "\r\u001b[K1 of 2\r\u001b[K", stdout: "done\n" });
  });

  test("shows no progress where nobody watches", () => {
    const { terminal, written } = terminalOn({}, false);
    terminal.progress("1 of 2");
    terminal.note("a note");
    terminal.out("done");
    expect(written).toEqual({ stderr: "a note\n", stdout: "done\n" });
  });

  test.each([
    [undefined, 80],
    [0, 80],
    [120, 120],
    [12, 40],
  ])("of %s columns folds to %s", (columns, folded) => {
    expect(terminalOn({}, true, columns).terminal.columns).toBe(folded);
  });

  test.each([
    ["what is as wide as there is room", "1 of 2 ca", "1 of 2 ca"],
    ["what is wider", "1 of 2 cases", "1 of 2 c…"],
    ["characters of two columns", "ab東京 の中で", "ab東京 …"],
    ["a sign of two columns at the edge", "abcdefg✅h", "abcdefg…"],
    ["several lines", "a\nb\r\nc\u001b[2K", "a b c [2K"],
    ["a line without end", "x".repeat(100_000), "xxxxxxxx…"],
  ])("keeps progress on one line, of %s", (_, text, shown) => {
    const { terminal, written } = terminalOn({}, true, 10);
    terminal.progress(text);
    expect(written.stderr).toBe(`\r\u001b[K${shown}`);
  });
});
