import { describe, expect, test } from "vitest";
import { adjudge } from "../../../process/recording.test.kit.ts";
import { exitCodes } from "../../../terminal/exit.ts";
import { jobOf, type Series, seriesId, subjectId } from "../job.ts";
import { readAnnounced, readHandedIn, readSign, readTask, signText } from "./messages.ts";
import { freePort } from "./redis.test.kit.ts";
import { addressOf, masked } from "./redis.ts";

const codesOf = (result: {
  readonly ok: boolean;
  readonly error?: readonly { readonly code: string }[];
}): string[] => (result.error ?? []).map(({ code }) => code);

describe("the address of a queue", () => {
  test("is a URL of Redis, with user, password and database", () => {
    const address = addressOf("rediss://me:p%40ss@queue.example:6380/2", {});
    expect(address).toMatchObject({
      ok: true,
      value: {
        options: {
          ...{ host: "queue.example", port: 6380, db: 2, username: "me", password: "p@ss" },
          tls: { servername: "queue.example" },
        },
      },
    });
    expect(addressOf("redis://[::1]", {})).toMatchObject({
      value: { options: { host: "::1", port: 6379, db: 0 } },
    });
  });

  test.each([
    "localhost:6379",
    "http://localhost",
    "redis://",
    "redis://host/db",
    "redis://host/1?x=1",
    "redis://host:99999",
    "redis://me:50%zz@host",
  ])("is not %s", (text) => expect(codesOf(addressOf(text, {}))).toEqual(["queue/address"]));

  test("has files of TLS with rediss:// alone, which can be read, and a certificate with its key", () => {
    expect(codesOf(addressOf("redis://host", { cacert: "ca.pem" }))).toEqual(["queue/address"]);
    expect(codesOf(addressOf("rediss://host", { cert: "cert.pem" }))).toEqual(["queue/address"]);
    expect(codesOf(addressOf("rediss://host", { cacert: "no/such.pem" }))).toEqual(["queue/file"]);
  });

  test("is never told with its password", () => {
    expect(masked("run --queue redis://me:secret@host/0 -e x")).toBe(
      "run --queue redis://me:***@host/0 -e x",
    );
    expect(masked("'rediss://:s@cr@t@host'")).toBe("'rediss://:***@host'");
    expect(masked("redis://host/0")).toBe("redis://host/0");
    expect(masked("--queue=redis://me:a secret@host")).toBe("--queue=redis://me:***@host");
    for (const text of [
      "redis://me:secret@host/db",
      "redis://me:a secret%@host",
      "https://me:secret@host",
      "me:secret@host",
    ])
      expect([text, JSON.stringify(addressOf(text, {}))]).toEqual([
        text,
        expect.not.stringMatching(/secret/),
      ]);
  });
});

const subject = subjectId({ label: "one", name: "n", version: "1", offer: "{}" });
const series: Series = {
  ...{ subject, kind: "graphs", profile: "mix", seed: 1, dtype: "float64", lawsEvery: 4, adjudge: "1" },
};
const { id } = jobOf(seriesId(series), 0, 50);
const task = { series, first: 0, count: 50 };

describe("a machine takes no job", () => {
  test("but one of its engine, in its own words, under its content id", () => {
    expect(readTask(task, id, subject, "1")).toMatchObject({ ok: true, value: { job: { id }, series } });
  });

  test.each<[string, unknown]>([
    ["of another adjudge", { ...task, series: { ...series, adjudge: "2" } }],
    ["of another engine", { ...task, series: { ...series, subject: "other" } }],
    ["of other questions than its id says", { ...task, first: 50 }],
    ["of another seed than its id says", { ...task, series: { ...series, seed: 2 } }],
    ["of no questions", { ...task, count: 0 }],
    ["of a kind that is none", { ...task, series: { ...series, kind: "songs" } }],
    ["of a number that is none", { ...task, first: -1 }],
    ["that is no job", "ask"],
    ["that is nothing", null],
  ])("%s", (_, data) => expect(codesOf(readTask(data, id, subject, "1"))).toEqual(["queue/job"]));
});

describe("nothing is believed of what Redis has", () => {
  const handedIn = { asked: 50, answered: { report: {}, milliseconds: 1 } };

  test("of what is handed in", () => {
    expect(readHandedIn(JSON.stringify(handedIn))).toEqual({ ok: true, value: handedIn });
    const statements = { called: ["add"], answered: [] };
    const told = { asked: 1, answered: { report: 1, milliseconds: 0, statements, isAll: true } };
    expect(readHandedIn(JSON.stringify(told))).toEqual({ ok: true, value: told });
    for (const bad of [
      "",
      "null",
      "{}",
      '{"asked":1}',
      JSON.stringify({ ...handedIn, asked: -1 }),
      JSON.stringify({ ...handedIn, asked: 0.5 }),
      JSON.stringify({ ...handedIn, answered: { report: {}, milliseconds: "1" } }),
      JSON.stringify({ ...handedIn, answered: { report: {}, milliseconds: 1, isAll: "yes" } }),
      JSON.stringify({ ...handedIn, answered: { report: {}, milliseconds: 1, statements: [1] } }),
      `{"asked":1,"answered":{"report":${"[".repeat(5000)}${"]".repeat(5000)},"milliseconds":1}}`,
    ])
      expect([bad.slice(0, 80), codesOf(readHandedIn(bad))]).toEqual([bad.slice(0, 80), ["queue/handed-in"]]);
  });

  test("of what is announced", () => {
    const engine = {
      ...{ name: "n", version: "1", offer: "{}", dtypes: ["float64"] },
      ...{ hasPrograms: false, hasTapes: false, bringsFunctions: false },
    };
    expect(readAnnounced(JSON.stringify({ label: "one", engine }), subject)).toEqual({
      ok: true,
      value: { label: "one", engine },
    });
    for (const bad of [
      { label: "other", engine },
      { label: "one", engine: { ...engine, version: "2" } },
      { label: "one", engine: { ...engine, hasTapes: 1 } },
      { label: "one", engine: { ...engine, dtypes: "float64" } },
      { label: "one" },
    ])
      expect(codesOf(readAnnounced(JSON.stringify(bad), subject))).toEqual(["queue/engine"]);
  });

  test("of signs", () => {
    const sign = {
      name: "here:1",
      adjudge: "1",
      since: 1,
      subjects: [subject],
      counts: new Map([["jobs", 2]]),
    };
    expect(readSign(signText(sign))).toEqual({ ok: true, value: sign });
    for (const bad of ["", "[]", "{}", signText({ ...sign, since: -1 }), " ".repeat(100_000)])
      expect(codesOf(readSign(bad))).toEqual(["queue/sign"]);
  });
});

test("a fleet without its Redis is told so, and its password is not", async () => {
  const url = `redis://me:secret@127.0.0.1:${await freePort()}`;
  for (const words of [
    ["work", "--queue", url],
    ["status", "--queue", url],
    ["run", "--queue", url, "--store", "none.db"],
  ]) {
    const { code, notes } = await adjudge("campaign", ...words);
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining("queue/redis")]);
    expect(notes).toContain("redis://me:***@127.0.0.1");
  }
  const { code, notes } = await adjudge("campaign", "work");
  expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining("queue/none")]);
});
