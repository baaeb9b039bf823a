/**
 * `node tests/newcomer.ts` does what the README tells a newcomer. It installs a fresh clone and runs
 * `npm start`, which has to show a fault and its page soon. It makes a project with the package and the
 * adapter of docs/protocol.md, and tries `smoke`, `judge` with a page, a fault in the adapter, known failures
 * and the CI job of docs/ci.md. The adapter uses the clone's library: no engine is downloaded. Ends with 1 if
 * a step does otherwise than the pages say.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "adjudge-newcomer-"));
const [clone, project] = [join(home, "adjudge"), join(home, "project")];
const faults: string[] = [];

/** Runs a step. Its `node` is the one that runs this file, not the machine's. */
function step(what: string, script: string, folder: string, code = 0): string {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const options = {
    cwd: folder,
    env: { ...process.env, PATH: path, NO_COLOR: "1" },
    encoding: "utf8",
  } as const;
  const ended = spawnSync("bash", ["-eo", "pipefail", "-c", script], options);
  const said = ended.stdout + ended.stderr;
  if (ended.status !== code)
    faults.push(`${what} ended with ${ended.status}, not ${code}:\n${said.slice(-2000)}`);
  process.stdout.write(`${ended.status === code ? "✓" : "✗"} ${what}\n`);
  return said;
}

function expected(what: string, isSo: boolean): void {
  process.stdout.write(`${isSo ? "✓" : "✗"} ${what}\n`);
  if (!isSo) faults.push(what);
}

/** Returns the first block of a language behind a heading of a page. */
function example(page: string, heading: string, language: string): string {
  const text = readFileSync(join(clone, "docs", page), "utf8");
  const behind = text.slice(text.indexOf(`## ${heading}\n`));
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(behind)?.[1] ?? "";
}

/** A newcomer waits so many seconds for the first fault and its page. */
const PATIENCE = 60;

/** Runs `npm start`, which ends with 1 since an engine is wrong. */
function showsFaultSoon(): void {
  const begin = performance.now();
  const said = step("npm start", "npm start", clone, 1);
  const seconds = (performance.now() - begin) / 1000;
  expected(`npm start ends within ${PATIENCE} s (${seconds.toFixed(0)} s)`, seconds < PATIENCE);
  expected(
    "it shows a fault, what is right, and who is to blame",
    /^error\[[\s\S]*want [\s\S]*blame: /m.test(said),
  );
  expected("it says where the page is", said.includes("adjudge.html"));
  const page = join(clone, "adjudge.html");
  expected("the page is there", existsSync(page) && readFileSync(page, "utf8").includes("TensorFlow.js"));
  const lines = said.split("\n");
  // What is to be copied whole is not folded, and a word that is longer stands alone.
  const wide = lines.filter(
    (line) => line.length > 80 && !/^(?:> node | *replay: | {4,}[%#])| was not asked: /.test(line),
  );
  expected(`no line is wider than a terminal: ${wide.join(" | ")}`, wide.length === 0);
  expected(
    `engines that are not there are one line`,
    lines.filter((line) => /missing/.test(line)).length <= 1,
  );
  const dirt = step("git ignores the page", "git status --porcelain", clone);
  expected("nothing is left in the clone that git does not ignore", dirt === "");
}

function walk(): void {
  step("a fresh clone", `git clone --quiet --no-hardlinks "${root}" "${clone}"`, home);
  step("npm ci", "npm ci --prefer-offline --no-audit --no-fund", clone);
  showsFaultSoon();
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "name": "project", "private": true, "type": "module" }\n');
  const packed = `npm install --prefer-offline --no-audit --no-fund "$(npm pack --silent --pack-destination "${home}" "${clone}" | tail -1 | sed "s#^#${home}/#")"`;
  step("the package in a project of its own", packed, project);
  symlinkSync(join(clone, "node_modules", "@tensorflow"), join(project, "node_modules", "@tensorflow"));
  const adapter = example("protocol.md", "An adapter in JavaScript", "ts");
  writeFileSync(join(project, "my_adapter.mjs"), adapter);
  expected("docs/protocol.md has a whole adapter", adapter.includes("await serve("));
  step("smoke", "npx adjudge smoke -- node my_adapter.mjs", project);
  const judge = 'npx adjudge judge -e "node my_adapter.mjs" -n 60 --seconds 0';
  step("judge, with a page", `${judge} --html found.html`, project);
  const page = readFileSync(join(project, "found.html"), "utf8");
  expected(
    "the page tells of the engine, and fetches nothing",
    page.includes("TensorFlow.js") && !/(?:src|href)="http/.test(page),
  );

  writeFileSync(join(project, "my_adapter.mjs"), adapter.replace("tf.mul(x, y)", "tf.add(x, y)"));
  const accused = step("judge, where multiply adds", judge, project, 1);
  expected("multiply is to blame", /\(multiply\) (?:has|hands on) a wrong/.test(accused));
  step("what is known is written", `${judge} --update-known`, project, 0);
  expected("as a file to review", existsSync(join(project, "adjudge.known.json")));
  step("and is no failure from then on", judge, project);

  const job: { readonly gradients: { readonly script: readonly string[] } } = parse(
    example("ci.md", "GitLab", "yaml"),
  );
  const last = job.gradients.script.at(-1) ?? "";
  writeFileSync(join(project, "my_adapter"), "#!/bin/sh\nexec node my_adapter.mjs\n", { mode: 0o755 });
  const own = last.replace("~/adjudge", clone).replace("--seconds 60 -n 2000", "--seconds 0 -n 60");
  step("the job of docs/ci.md", own, project);
  expected(
    "leaves its reports",
    ["junit.xml", "report.json"].every((file) => existsSync(join(project, file))),
  );
}

try {
  walk();
} finally {
  rmSync(home, { recursive: true, force: true });
}
for (const fault of faults) process.stdout.write(`\n✗ ${fault}\n`);
process.stdout.write(`A newcomer's walk, ${faults.length} faults\n`);
if (faults.length > 0) process.exitCode = 1;
