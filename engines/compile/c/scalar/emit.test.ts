import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { present } from "../../../../spec/index.ts";
import { sampled } from "../../../../spec/sampled.test.kit.ts";
import { compile } from "../../browser.ts";
import { integers } from "../../plan/scalar/agreement.test.kit.ts";
import { drawing, randomGraph } from "../../plan/scalar/graphs.test.kit.ts";
import { emitC, findCompiler } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-c-tables-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All sums are exact, and nearly every value is read. */
const graph = randomGraph({ ...integers, nodes: 1100, window: 400, gathering: 500 }, 3);
const draw = drawing(11);
const point = Float64Array.from(graph.inputs, () => Math.floor(draw(7)) - 3);
const tangents = Float64Array.from(graph.inputs, (_, n) => n + 1);
const environment = Float64Array.from(graph.environment, (_, n) => n - 1);

/** Compiles a file with all warnings, and returns what its function leaves in the workspace. */
function answers(mode: "gradient" | "vjp" | "jvp", spoil: (text: string) => string) {
  const made = emitC(graph, { mode });
  if (!made.ok) throw new Error(made.error.message);
  const further = { gradient: [], vjp: [Float64Array.of(3)], jvp: [tangents] }[mode];
  const given = [point, environment, ...further];
  const [size, value, derivative] = [...made.value.header.matchAll(/^#define [A-Z_]+ (\d+)$/gm)].map(
    ([, n]) => n,
  );
  const count = mode === "jvp" ? 1 : point.length;
  const main = `
#include <stdio.h>
static T workspace[${size}];
${given.map((numbers, n) => `static const T given_${n}[] = { ${numbers.join(", ")} };`).join("\n")}
int main(void) {
  ${mode}(${given.map((_, n) => `given_${n}`).join(", ")}, workspace);
  printf("%.17g", workspace[${value}]);
  for (int i = 0; i < ${count}; i++) printf(" %.17g", workspace[${derivative} + i]);
  return 0;
}`;
  const file = join(folder, `${mode}.c`);
  writeFileSync(file, `${spoil(made.value.source)}${main}`);
  const flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-ffp-contract=off"];
  execFileSync("cc", [...flags, "-o", `${file}.out`, file]);
  return execFileSync(`${file}.out`, { encoding: "utf8" }).split(" ").map(Number);
}

/** Returns the same of the engine in JavaScript. */
function expected(mode: "gradient" | "vjp" | "jvp"): readonly number[] {
  const f = compile(graph, { output: graph.inputs.length + graph.nodes.length - 1 });
  f.bind(Object.fromEntries(graph.environment.map(({ name }, n) => [name, environment.slice(n, n + 1)])));
  const [value] = f.value(point);
  const derivative =
    mode === "jvp"
      ? f.jvp(
          [...point].map((x) => Float64Array.of(x)),
          [...tangents].map((x) => Float64Array.of(x)),
        )
      : present(f.gradient(point)[0], "a gradient").map((x) => (mode === "vjp" ? 3 * x : x));
  return [present(value, "a value"), ...derivative];
}

test
  .skipIf(findCompiler() === undefined)
  .each(sampled("tables in C", ["gradient", "vjp", "jvp"] as const, 1))(
  "a graph of many scalars is a file of tables, without a warning, with the %s that JavaScript computes",
  (mode) => {
    expect(answers(mode, (text) => text)).toEqual(expected(mode));
    const wrong = answers(mode, (text) =>
      text.replace(/(table_y\[\] = \{\n.*\n.*\n {2}\d+, \d+, )\d+/, "$10"),
    );
    expect(wrong).not.toEqual(expected(mode));
  },
);

test.each([
  "reverse",
  "table_x",
  "inputs",
  "INDEPENDENT",
])("a file of tables is not called %s, which it needs itself", (name) => {
  expect(emitC(graph, { name })).toMatchObject({ ok: false, error: { code: "emit/function-name" } });
});
