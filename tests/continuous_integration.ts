/**
 * `node tests/continuous_integration.ts` runs the steps of `action.yml` and the examples of docs/ci.md, in a
 * clone and in projects with only an adapter. A right engine must end with 0, a wrong one with 1 and
 * annotations; both must write reports, and a pull request gets a comment, from a server of this file. What
 * others provide (`uses: actions/…`) is checked, not run. Ends with 1 if anything is otherwise.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { startApi } from "../cli/github/api.test.kit.ts";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: { readonly code: { readonly value: string } };
  readonly runs: { readonly steps: readonly Step[] };
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Pipeline {
  readonly [job: string]: {
    readonly script: readonly string[];
    readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } };
  };
}

const root = fileURLToPath(new URL("..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "adjudge-ci-"));
const clone = join(home, "clone");
const faults: string[] = [];
const asked = "-n 40 --seconds 0 --dtype float64";
const right = `${process.execPath} ${join(root, "conformance/testees/interpreter.ts")}`;
const wrong = `${process.execPath} ${join(root, "cli/process/testee.test.script.ts")} mutant sin_slope_at_result`;

function expected(what: string, isSo: boolean): void {
  if (!isSo) faults.push(what);
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

/** Runs a step of a job. Its `node` is the one that runs this file, as `setup-node` would provide it. */
function bash(script: string, folder: string, environment: Readonly<Record<string, string>>): Promise<Ended> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH: path, ...environment };
  const child = spawn("bash", ["-eo", "pipefail", "-c", script], { cwd: folder, env });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out })));
}

/** Returns a folder in which somebody has an adapter. */
function projectWith(name: string, engine: string): string {
  const folder = join(home, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "my_adapter"), `#!/bin/sh\nexec ${engine}\n`, { mode: 0o755 });
  return folder;
}

/** What GitHub knows in a job: `github.event_name`, `inputs.engine`, `steps.judge.outputs.code`. */
type Context = Map<string, string>;

function filled(text: string, context: Context): string {
  return text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => context.get(name) ?? "");
}

/** Decides a step's condition; of GitHub's expressions these suffice. */
function holds(condition: string, context: Context): boolean {
  return condition.split(" && ").every((part) => {
    const [, not, given, start = ""] = /^(!?)startsWith\(([\w.-]+), '([^']*)'\)$/.exec(part) ?? [];
    if (given !== undefined) return (context.get(given) ?? "").startsWith(start) !== (not === "!");
    const [, name = "", sign, text = ""] = /^([\w.-]+) ([!=]=) '([^']*)'$/.exec(part) ?? [];
    expected(`the condition ${part} is understood`, sign !== undefined);
    return ((context.get(name) ?? "") === text) === (sign === "==");
  });
}

/** A job in which the action runs. */
interface Job {
  readonly folder: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly github: Readonly<Record<string, string>>;
  /** The cache has this report of the base branch. */
  readonly cached?: string;
}

interface Ran extends Ended {
  /** What the job would have asked of actions of others. */
  readonly used: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** Runs the steps of the action as a job does. */
async function runAction(action: Action, { folder, inputs, env, github, cached }: Job): Promise<Ran> {
  const context: Context = new Map([
    ...Object.entries(github).map(([name, text]) => [`github.${name}`, text] as const),
    ...Object.entries(action.inputs).map(([name, one]) => [`inputs.${name}`, one.default ?? ""] as const),
    ...Object.entries(inputs).map(([name, text]) => [`inputs.${name}`, text] as const),
  ]);
  context.set("inputs.token", filled(context.get("inputs.token") ?? "", context));
  const used = new Map<string, Readonly<Record<string, string>>>();
  let out = "";
  for (const { id, if: condition, uses, run = "", with: words = {}, env: own = {} } of action.runs.steps) {
    if (condition !== undefined && !holds(condition, context)) continue;
    const given = (record: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.entries(record).map(([name, text]) => [name, filled(text, context)]));
    if (uses !== undefined) {
      const asked = given(words);
      used.set(uses.replace(/@.*/, ""), asked);
      if (!uses.startsWith("actions/cache/restore") || cached === undefined) continue;
      writeFileSync(join(folder, asked.path ?? "", "report.json"), cached);
      context.set(`steps.${id}.outputs.cache-matched-key`, `${asked["restore-keys"]}1`);
      continue;
    }
    const files = {
      GITHUB_OUTPUT: join(folder, "output"),
      GITHUB_STEP_SUMMARY: join(folder, "step-summary"),
    };
    const ended = await bash(run, folder, { GITHUB_ACTION_PATH: clone, ...files, ...env, ...given(own) });
    out += ended.out;
    for (const line of existsSync(files.GITHUB_OUTPUT)
      ? readFileSync(files.GITHUB_OUTPUT, "utf8").split("\n")
      : [])
      context.set(`steps.${id}.outputs.${line.replace(/=.*/, "")}`, line.replace(/^[^=]*=/, ""));
    if (existsSync(files.GITHUB_OUTPUT)) rmSync(files.GITHUB_OUTPUT);
    if (ended.code !== 0) return { code: ended.code, out, used };
  }
  expected("the action hands on the code", filled(action.outputs.code.value, context) === "0");
  return { code: 0, out, used };
}

const inputs = { engine: "./my_adapter", arguments: asked };
const environment = { GITHUB_WORKFLOW: "gradients", GITHUB_JOB: "adjudge" };

async function checkAction(action: Action): Promise<void> {
  const reports: string[] = [];
  for (const [name, engine, code] of [
    ["right", right, 0],
    ["wrong", wrong, 1],
  ] as const) {
    const folder = projectWith(name, engine);
    const github = { event_name: "push", ref_name: "main", run_id: "1", run_attempt: "1", token: "secret" };
    const ended = await runAction(action, { folder, inputs, env: environment, github });
    expected(
      `the action ends with ${ended.code} for a ${name} engine:\n${ended.out.slice(-2000)}`,
      ended.code === code,
    );
    const read = (file: string): string =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
    expected(`the page of a ${name} engine's job has a summary`, read("step-summary").includes("| ---"));
    for (const file of ["report.json", "page.html", "junit.xml", "report.sarif", "summary.md"])
      expected(`${file} of a ${name} engine is there`, read(join("adjudge-report", file)) !== "");
    expected(
      `a ${name} engine is annotated at its adapter where it is wrong`,
      /^::error file=my_adapter,title=wrong-/m.test(ended.out) === (code === 1),
    );
    expected("the reports are kept", ended.used.get("actions/upload-artifact")?.path === "adjudge-report");
    expected("a push fetches no report", !ended.used.has("actions/cache/restore"));
    expected(
      "a push leaves its report",
      ended.used.get("actions/cache/save")?.path === "adjudge-report-base",
    );
    expected("nothing goes to code scanning unasked", !ended.used.has("github/codeql-action/upload-sarif"));
    reports.push(read("adjudge-report/report.json"));
    if (code === 1) await checkPullRequest(action, ended.used.get("actions/cache/save"), reports);
  }
}

/** A pull request that breaks what the base branch had right gets a comment, and fails with the engine. */
async function checkPullRequest(
  action: Action,
  saved: Readonly<Record<string, string>> = {},
  [before = "", after = ""]: readonly string[],
): Promise<void> {
  const api = await startApi();
  try {
    const folder = projectWith("pull-request", wrong);
    writeFileSync(join(folder, "event.json"), JSON.stringify({ pull_request: { number: 7 } }));
    const env = {
      ...environment,
      GITHUB_API_URL: api.url,
      GITHUB_REPOSITORY: "owner/name",
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: join(folder, "event.json"),
    };
    const github = { event_name: "pull_request", base_ref: "main", ref_name: "7/merge", token: "secret" };
    // The base branch had the same engine before it broke.
    const was = { ...JSON.parse(before) };
    was.engines[0].description = JSON.parse(after).engines[0].description;
    const given = { ...inputs, "code-scanning": "true" };
    const job: Job = { folder, inputs: given, env, github, cached: JSON.stringify(was) };
    const { code, out, used } = await runAction(action, job);
    expected(
      `a pull request that breaks something fails with 1, not ${code}:\n${out.slice(-2000)}`,
      code === 1,
    );
    expected(
      "the comment tells the new fault",
      api.comments[0]?.body.includes("1 new fault, 0 mended") === true,
    );
    expected("the comment is written with the token", api.asked.at(-1)?.token === "Bearer secret");
    const fetched = used.get("actions/cache/restore");
    expected("what is fetched is what a push of the base leaves", fetched?.path === saved.path);
    expected("… by its key", saved.key?.startsWith(fetched?.["restore-keys"] ?? "?") === true);
    expected("a pull request leaves no report", !used.has("actions/cache/save"));
    const log = used.get("github/codeql-action/upload-sarif")?.sarif_file ?? "nowhere";
    expected("code scanning gets the log", existsSync(join(folder, log)));
  } finally {
    await api.close();
  }
}

/** Returns the first block of YAML behind a heading. */
function example(page: string, heading: string): string {
  const [, block = ""] =
    new RegExp(`## ${heading}\\n[\\s\\S]*?\`\`\`yaml\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  return block;
}

function checkGitHub(action: Action, workflow: Workflow): void {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const own = steps.filter(({ uses = "" }) => uses.includes("/adjudge@"));
  expected("the example for GitHub uses the action once", own.length === 1);
  for (const { with: given = {} } of own) {
    for (const name of Object.keys(given)) expected(`the action has an input ${name}`, name in action.inputs);
    for (const [name, { required }] of Object.entries(action.inputs))
      expected(`the example gives the input ${name}`, required !== true || name in given);
  }
}

async function checkGitLab(pipeline: Pipeline): Promise<void> {
  const [job] = Object.values(pipeline);
  expected("the example for GitLab has a job", job !== undefined);
  if (job === undefined) return;
  for (const [name, engine, code] of [
    ["right-gitlab", right, 0],
    ["wrong-gitlab", wrong, 1],
  ] as const) {
    const folder = projectWith(name, engine);
    const own = join(home, `${name}-home`);
    mkdirSync(own);
    const script = job.script.join("\n").replace("--seconds 60 -n 2000", asked);
    // The home is another, but npm keeps its cache and its user's settings.
    const configured = async (name: string): Promise<string> =>
      (await bash(`npm config get ${name} 2>/dev/null`, folder, {})).out.trim();
    const npm = {
      npm_config_cache: await configured("cache"),
      npm_config_userconfig: await configured("userconfig"),
    };
    const ended = await bash(script, folder, { HOME: own, ADJUDGE: `file://${clone}`, ...npm });
    expected(
      `the script for GitLab ends with ${ended.code} for ${name}:\n${ended.out.slice(-2000)}`,
      ended.code === code,
    );
    for (const file of [...job.artifacts.paths, job.artifacts.reports.junit])
      expected(`${file} of ${name} is there`, existsSync(join(folder, file)));
  }
}

try {
  const cloned = await bash(`git clone --quiet --no-hardlinks "${root}" "${clone}"`, home, {});
  if (cloned.code !== 0) throw new Error(cloned.out);
  const action: Action = parse(readFileSync(join(clone, "action.yml"), "utf8"));
  const page = readFileSync(join(clone, "docs", "ci.md"), "utf8");
  await checkAction(action);
  const workflow: Workflow = parse(example(page, "GitHub"));
  const pipeline: Pipeline = parse(example(page, "GitLab"));
  checkGitHub(action, workflow);
  await checkGitLab(pipeline);
} finally {
  rmSync(home, { recursive: true, force: true });
}
for (const fault of faults) process.stdout.write(`✗ ${fault}\n`);
process.stdout.write(`CI: the action and two examples were run, ${faults.length} faults\n`);
if (faults.length > 0) process.exitCode = 1;
