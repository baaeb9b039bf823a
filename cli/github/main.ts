/**
 * `node cli/github/main.ts BASE NOW NAME` comments on the pull request of a GitHub job how the report NOW
 * differs from BASE, the base branch's; of comments of other names it changes none. It prints a line, and
 * ends with 0 whatever happens: a job is judged by its engine, and a fork's token may not comment.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { differenceMarkdown, isNews } from "../../conformance/report/formats/index.ts";
import { compareReports } from "../../conformance/report/index.ts";
import { formatIssue, visible } from "../../spec/shapes/index.ts";
import { readReport } from "../campaign/report_files.ts";
import { commentOn, markerOf, type PullRequest } from "./comment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the pull request of a job; why there is none to comment on, otherwise. */
function pullRequestOf(env: Environment): PullRequest | string {
  const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository, GITHUB_TOKEN: token, GITHUB_EVENT_PATH } = env;
  if (GITHUB_EVENT_PATH === undefined || GITHUB_EVENT_PATH === "") return "this is no job of GitHub";
  const number = numberIn(JSON.parse(readFileSync(GITHUB_EVENT_PATH, "utf8")));
  if (number === undefined) return "the job is of no pull request";
  if (!api || !repository || !token) return "the job has no token";
  return { api, repository, token, number };
}

function numberIn(event: unknown): number | undefined {
  const pull = typeof event === "object" && event !== null && "pull_request" in event && event.pull_request;
  const number = typeof pull === "object" && pull !== null && "number" in pull ? pull.number : undefined;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

/** Says where the whole reports are. */
function runOf({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: Environment): string {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return "";
  const run = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  return `The page and the reports are among the [artefacts of the run](${run}).\n`;
}

/** Comments, and returns a line that says what was done. */
async function comment([base, now, name = ""]: readonly string[], env: Environment): Promise<string> {
  if (base === undefined || now === undefined)
    return "no comment: give the base branch's report, and this one";
  const pull = pullRequestOf(env);
  if (typeof pull === "string") return `no comment: ${pull}`;
  const [before, after] = [await readReport(base), await readReport(now)];
  const issues = [before, after].flatMap((read) => (read.ok ? [] : read.error));
  if (!before.ok || !after.ok) return `no comment: ${issues.map(formatIssue).join("; ")}`;
  const comparison = compareReports(before.value, after.value);
  const text = `${differenceMarkdown(comparison)}\n${runOf(env)}`;
  return `the comment is ${await commentOn(pull, markerOf(name), text, isNews(comparison))}`;
}

const said = await comment(process.argv.slice(2), process.env).catch((thrown: unknown) => {
  return `no comment: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
});
process.stdout.write(`adjudge: ${visible(said, 400)}\n`);
