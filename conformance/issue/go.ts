import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeCase } from "../../spec/documents/index.ts";
import { fail, ok, type Result } from "../../spec/shapes/index.ts";
import { formatFloat64 } from "../../spec/wire/index.ts";
import { gorgoniaFolder, gorgoniaTestee } from "../testees/index.ts";
import type { IssueQuestion } from "./question.ts";
import { MARK, type Ran, ranOf } from "./running.ts";

/** Makes scripts in Go for gorgonia, whose adapter writes each of its calls down as it makes it. */
export function gorgoniaScripts(questions: readonly IssueQuestion[]): Result<string, string>[] {
  const [program] = gorgoniaTestee()?.argv ?? [];
  if (program === undefined) return questions.map(() => fail("gorgonia's adapter is not built"));
  const input = JSON.stringify(questions.map(questionJson));
  const ran = spawnSync(program, ["--scripts"], { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (ran.status !== 0) return questions.map(() => fail(ran.stderr.trim() || `${program} does not run`));
  const scripts: readonly { readonly text?: string; readonly reason?: string }[] = JSON.parse(ran.stdout);
  return scripts.map(({ text, reason = "" }) => (text === undefined ? fail(reason) : ok(text)));
}

/** Encodes the question as the adapter reads it. */
function questionJson({ title, note, case: asked, dtype, mode, wrong }: IssueQuestion): object {
  const common = { ...encodeCase(asked), title, note, dtype, question: mode };
  if (wrong === undefined) return common;
  const { place, truth, due } = wrong;
  if (due.kind === "shape") {
    const test = `fmt.Sprint(answer) == ${JSON.stringify(`[${due.shape.join(" ")}]`)}`;
    return { ...common, place, truth, answer: ["append([]int{}, ", ".Shape()...)"], test };
  }
  const { element, right } = due;
  const test =
    right === "nan" ? "answer != answer" : `${shown(right.low)} <= answer && answer <= ${shown(right.high)}`;
  return { ...common, place, truth, answer: ["numbers(", `)[${element}]`], test };
}

/** Writes a number as Go reads it. */
function shown(x: number): string {
  if (Number.isFinite(x)) return `${x}`;
  return `math.Inf(${formatFloat64(x).startsWith("-") ? -1 : 1})`;
}

/**
 * Runs scripts in Go, with the modules of the adapter, as packages of one program, so that Go compiles and
 * links once for all of them.
 */
export function runGo(scripts: readonly string[]): Ran {
  const folder = mkdtempSync(join(tmpdir(), "scripts-"));
  try {
    for (const file of ["go.mod", "go.sum"]) copyFileSync(join(gorgoniaFolder(), file), join(folder, file));
    const names = scripts.map((_, place) => `script${place}`);
    for (const [place, text] of scripts.entries()) {
      const name = `script${place}`;
      const called = "func Ask() int { _ = os.Exit; return ask() }";
      mkdirSync(join(folder, name));
      writeFileSync(
        join(folder, name, "main.go"),
        text.replace(/^package main$/m, `package ${name}`).replace(/^func main\(\).*$/m, called),
      );
    }
    writeFileSync(join(folder, "main.go"), everyScript(names));
    return ranOf(spawnSync("go", ["run", "."], { cwd: folder, encoding: "utf8" }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes the program that runs scripts one after the other. */
function everyScript(names: readonly string[]): string {
  const imports = ["fmt", ...names.map((name) => `adjudge-gorgonia/${name}`)].map((path) => `\t"${path}"\n`);
  const calls = names.map((name) => `, ${name}.Ask()`).join("");
  return `package main\n\nimport (\n${imports.join("")})\n
func main() {
	codes := append([]int{}${calls})
	fmt.Print(${JSON.stringify(MARK)})
	for place, code := range codes {
		if place > 0 {
			fmt.Print(",")
		}
		fmt.Print(code)
	}
	fmt.Println()
}
`;
}
