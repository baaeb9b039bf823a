import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { chooseEngine, everyEngine } from "./choice.ts";
import { quoteWord, splitWords } from "./shell_words.ts";

describe("an engine's name", () => {
  test.each([
    "interpreter",
    "tfjs",
    "python3 my_adapter.py",
    "./adapter",
    "/opt/adapter",
  ])("may be %s", (text) => {
    expect(chooseEngine(text)).toMatchObject({ ok: true, value: { label: text } });
  });

  test.each([
    ["tfsj", "did you mean tfjs?"],
    ["jax-jti", "did you mean jax-jit?"],
    ["Interpretr", "did you mean interpreter?"],
    ["mxnet", "one of interpreter, javascript, wasm, tfjs, jaxjs, jax, autograd"],
    ["", "python3 my_adapter.py"],
  ])("is not %j, and the hint says %s", (text, hint) => {
    const choice = chooseEngine(text);
    expect(choice.ok || choice.error).toMatchObject([
      { code: "engine/unknown", hint: expect.stringContaining(hint) },
    ]);
  });
});

test("without names each library is asked once, and its compilers only by name", () => {
  const every = everyEngine().map(({ label }) => label);
  expect(every).toEqual(expect.arrayContaining(["interpreter", "jax", "pytorch", "candle"]));
  for (const name of [
    "jax-jit",
    "pytorch-compile",
    "pytorch-modules",
    "pytorch-inductor",
    "tensorflow",
    "tensorflow-function",
  ]) {
    expect(every).not.toContain(name);
    expect(chooseEngine(name)).toMatchObject({ ok: true, value: { label: name } });
  }
});

describe("words", () => {
  test.each([
    ["a b", ["a", "b"]],
    ["  a\t b ", ["a", "b"]],
    ['"a b" c', ["a b", "c"]],
    ["'a \"b' c", ['a "b', "c"]],
    ['--path="a b"/c', ["--path=a b/c"]],
    ["don't", ["don't"]],
    ['""', [""]],
    ["", []],
  ])("in %j are %j", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test.each([
    "plain",
    "a/b-c.d",
    "two words",
    'say "x"',
    "it's",
    "$HOME",
    "`id`",
    "a\\b",
    "!x",
    "a;b",
    "*",
    "",
  ])("quoted for a shell, %j is what the shell hands on", (word) => {
    const line = `printf %s ${quoteWord(word)}`;
    expect(execFileSync("sh", ["-c", line], { encoding: "utf8" })).toBe(word);
  });
});
