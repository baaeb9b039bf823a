import { describe, expect, test } from "vitest";
import { Recorder } from "./recorder.ts";

/** Imitates a library of vectors. */
const library = {
  vector: (numbers: Float64Array) => ({ numbers, shape: [numbers.length] }),
  twice: ({ numbers }: { readonly numbers: Float64Array }) => library.vector(numbers.map((x) => 2 * x)),
  applied: (f: (x: object) => object, x: object) => f(x),
  fails: (): object => {
    throw new Error("no");
  },
};

describe("the recorder", () => {
  test("writes a script that runs to the same answer", () => {
    const recorder = new Recorder();
    const named = recorder.named("library", library);
    const answer = named.applied(() => named.twice(named.vector(Float64Array.of(-0, 3))), named);
    const again = new Function("library", `${recorder.text()}\nreturn ${recorder.textOf(answer)};`);
    expect(again(library)).toEqual(library.vector(Float64Array.of(-0, 6)));
    expect(recorder.text()).toBe(
      [
        "const f1 = (x2) => {",
        "  const v3 = library.vector(new Float64Array([-0, 3]));",
        "  const v4 = library.twice(v3);",
        "  return v4;",
        "};",
        "const v5 = library.applied(f1, library);",
      ].join("\n"),
    );
  });

  test("ends with the call that fails", () => {
    const recorder = new Recorder();
    const named = recorder.named("library", library);
    expect(() => named.fails()).toThrow("no");
    expect(recorder.text()).toBe("library.fails();");
  });

  test("leaves out what is done aside", () => {
    const recorder = new Recorder();
    const named = recorder.named("library", library);
    recorder.aside(() => named.vector(Float64Array.of(1)));
    expect(recorder.text()).toBe("");
  });
});
