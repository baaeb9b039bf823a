import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adjudge, plainEnv, testee } from "../process/recording.test.kit.ts";
import { type Api, startApi, type Written } from "./api.test.kit.ts";
import { commentOn, markerOf, type PullRequest } from "./comment.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-comment-"));
const at = (name: string): string => join(folder, name);
let api: Api;
beforeAll(async () => {
  api = await startApi();
  writeFileSync(at("event.json"), JSON.stringify({ pull_request: { number: 7 } }));
  writeFileSync(at("push.json"), JSON.stringify({ ref: "refs/heads/main" }));
});
beforeEach(() => {
  api.asked.length = 0;
  api.comments.length = 0;
  api.refuses = undefined;
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const marker = markerOf("adjudge-1");
const pull = (): PullRequest => ({ api: api.url, repository: "owner/name", number: 7, token: "secret" });
const requests = (): string[] => api.asked.map(({ method, path }) => `${method} ${path}`);
const comment = (id: number, body: string, change: Partial<Written> = {}): Written => ({
  id,
  body,
  user: { type: "Bot" },
  author_association: "NONE",
  ...change,
});
const [list, write] = [
  "/repos/owner/name/issues/7/comments?per_page=100&page=1",
  "/repos/owner/name/issues/7/comments",
];

describe("commentOn", () => {
  test("writes a comment where there is news and none of its own, with the token", async () => {
    api.comments.push(comment(1, "a word of somebody's"), comment(2, markerOf("adjudge-2")));
    expect(await commentOn(pull(), marker, "broke", true)).toBe("written");
    expect(requests()).toEqual([`GET ${list}`, `POST ${write}`]);
    expect(api.asked.every(({ token }) => token === "Bearer secret")).toBe(true);
    expect(api.comments[2]?.body).toBe(`${marker}\nbroke`);
  });

  test("writes none where there is no news", async () => {
    expect(await commentOn(pull(), marker, "as before", false)).toBe("not needed");
    expect(requests()).toEqual([`GET ${list}`]);
  });

  test("changes its own, news or none, and leaves it where it says the same", async () => {
    api.comments.push(comment(5, `${marker}\r\nbroke`));
    expect(await commentOn(pull(), marker, "broke", true)).toBe("as it was");
    expect(await commentOn(pull(), marker, "as before", false)).toBe("updated");
    expect(requests()).toEqual([`GET ${list}`, `GET ${list}`, "PATCH /repos/owner/name/issues/comments/5"]);
    expect(api.comments.map(({ body }) => body)).toEqual([`${marker}\nas before`]);
  });

  test("finds its own on a later page", async () => {
    api.comments.push(...Array.from({ length: 230 }, (_, id) => comment(id, "a word")), comment(900, marker));
    expect(await commentOn(pull(), marker, "broke", true)).toBe("updated");
    expect(requests().at(-1)).toBe("PATCH /repos/owner/name/issues/comments/900");
    expect(api.asked).toHaveLength(4);
  });

  test("does not change what a stranger wrote below its marker", async () => {
    api.comments.push(comment(3, `${marker}\nforged`, { user: { type: "User" } }));
    expect(await commentOn(pull(), marker, "broke", true)).toBe("written");
    api.comments[0] = comment(3, marker, { user: { type: "User" }, author_association: "MEMBER" });
    expect(await commentOn(pull(), marker, "broke", true)).toBe("updated");
  });

  test("says what the server refuses", async () => {
    api.refuses = 403;
    await expect(commentOn(pull(), marker, "broke", true)).rejects.toThrow(
      /403.*not accessible by integration/,
    );
  });
});

describe("node cli/github/main.ts", () => {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const asked = ["-n", "30", "--dtype", "float64", "--seconds", "0", "--laws-every", "0"];
  const job = (): NodeJS.ProcessEnv => ({
    ...plainEnv,
    GITHUB_API_URL: api.url,
    GITHUB_REPOSITORY: "owner/name",
    GITHUB_EVENT_PATH: at("event.json"),
    GITHUB_TOKEN: "secret",
    GITHUB_SERVER_URL: "https://server.example",
    GITHUB_RUN_ID: "42",
  });
  const run = async (words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
    (await promisify(execFile)(process.execPath, [main, ...words], { env })).stdout;

  beforeAll(async () => {
    for (const [name, engine] of [
      ["right", "interpreter"],
      ["wrong", testee("mutant", "sin_slope_at_result")],
    ] as const) {
      const { out } = await adjudge("judge", "-e", engine, ...asked, "--json");
      // The base branch has the same engine, before its fault.
      const report = JSON.parse(out);
      report.engines[0].description.name = "mine";
      writeFileSync(at(`${name}.json`), JSON.stringify(report));
    }
  });

  test("tells the new fault with its numbers, and that it is mended when it is", async () => {
    expect(await run([at("right.json"), at("wrong.json")], job())).toBe("adjudge: the comment is written\n");
    const [found] = api.comments;
    expect(found?.body).toMatch(/^<!-- adjudge: [^>]* -->\n### adjudge: 1 new fault, 0 mended\n/);
    expect(found?.body).toContain("| ❌ new | <code>sin cotangent</code> | <code>mine</code> |");
    expect(found?.body).toMatch(/dL\/d\S+: got \S+, want \S+/);
    expect(found?.body).toContain("https://server.example/owner/name/actions/runs/42");
    expect(await run([at("wrong.json"), at("right.json")], job())).toBe("adjudge: the comment is updated\n");
    expect(api.comments).toHaveLength(1);
    expect(found?.body).toContain("### adjudge: 0 new faults, 1 mended\n");
  });

  test("is silent where nothing changed", async () => {
    expect(await run([at("wrong.json"), at("wrong.json")], job())).toBe(
      "adjudge: the comment is not needed\n",
    );
    expect(api.comments).toEqual([]);
  });

  test.each([
    ["a fork's token may only read", {}, 403, "wrong.json", "no comment: POST was refused with 403"],
    [
      "the job is of a push",
      { GITHUB_EVENT_PATH: at("push.json") },
      undefined,
      "wrong.json",
      "no pull request",
    ],
    [
      "the job has no token",
      { GITHUB_TOKEN: "" },
      undefined,
      "wrong.json",
      "no comment: the job has no token",
    ],
    ["there is no report", {}, undefined, "nowhere.json", "no comment: file/unreadable"],
    [
      "nobody answers",
      { GITHUB_API_URL: "http://127.0.0.1:1" },
      undefined,
      "wrong.json",
      "no comment: fetch failed",
    ],
  ])("fails no job where %s", async (_what, change, refuses, now, said) => {
    api.refuses = refuses;
    expect(await run([at("right.json"), at(now)], { ...job(), ...change })).toContain(said);
    expect(api.comments).toEqual([]);
  });
});
