import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { adjudge, endProcess, start } from "../../../process/recording.test.kit.ts";
import { exitCodes } from "../../../terminal/exit.ts";
import { jobOf } from "../job.ts";
import { present } from "../store.test.kit.ts";
import { jobName, PREFIX, queueName } from "./board.ts";
import { cheap, crowd, isCountedOnce } from "./crowd.test.kit.ts";
import { coordinated } from "./fleet.test.kit.ts";
import { type Answer, cheapWorkers, connected, machineOf, rightly } from "./machine.test.kit.ts";
import { freePort, hasRedis, RedisServer } from "./redis.test.kit.ts";

const root = mkdtempSync(join(tmpdir(), "adjudge-fleet-"));
afterAll(() => rmSync(root, { recursive: true }));
const folderOf = (): string => mkdtempSync(join(root, "a-"));

const engine = [process.execPath, fileURLToPath(new URL("../versioned.test.script.ts", import.meta.url))]
  .map((word) => `"${word}"`)
  .join(" ");

/** Has one machine in this process ask a campaign of so many jobs, and looks at what came of it. */
async function asked(
  url: string,
  jobs: number,
  answer: Answer,
  look: (one: Awaited<ReturnType<typeof coordinated>>) => void,
) {
  const folder = folderOf();
  await using connection = await connected(url);
  const machine = machineOf(connection, cheapWorkers(cheap, 0, answer), { name: "here:m" });
  const work = machine.work();
  await using campaign = await coordinated(url, folder, jobs);
  await campaign.ended;
  look(campaign);
  machine.drain();
  await work;
}

describe.skipIf(!hasRedis)("a fleet", { timeout: 600_000 }, () => {
  test("counts each of 2,000 jobs once, though 40 machines and Redis are killed", async () => {
    const figures = await crowd(folderOf(), 2000, 8, 0, true);
    expect(figures).toMatchObject({ isCountedOnce: true, tallies: { refused: 0, unknown: 0 } });
    expect(figures.killed).toBeGreaterThanOrEqual(40);
  });

  test("has a report that was handed in twice counted once, and a foreign one not at all", async () => {
    const redis = await RedisServer.start(folderOf());
    const folder = folderOf();
    await using connection = await connected(redis.url);
    const machine = machineOf(connection, cheapWorkers(cheap, 0, rightly(cheap)), { name: "here:m" });
    const work = machine.work();
    let series = "";
    let subject = "";
    {
      await using campaign = await coordinated(redis.url, folder, 20);
      await campaign.ended;
      const [total] = present(campaign.store.told.totals());
      [series, subject] = [total?.id ?? "", total?.series.subject ?? ""];
    }
    // Whoever writes to this Redis hands in a job again that was counted, and one that nobody made.
    const { bull, redis: client } = connection;
    const queue = new bull.Queue(queueName("0.1.0", subject), { connection: client, prefix: PREFIX });
    const told = { asked: 50, answered: { report: cheap.report, milliseconds: 1 } };
    for (const first of [0, 7_000_000]) {
      const id = jobName(jobOf(series, first, 50).id);
      await client.hset(queue.toKey(id), { name: "ask", data: "{}", returnvalue: JSON.stringify(told) });
      await client.zadd(queue.toKey("completed"), 1, id);
    }
    {
      await using campaign = await coordinated(redis.url, folder, 30);
      await campaign.ended;
      expect(Object.fromEntries(campaign.coordinator.tallies(campaign.runner))).toMatchObject({
        ...{ counted: 10, known: 1, unknown: 1 },
      });
      expect(isCountedOnce(campaign.store, 30)).toBe(true);
    }
    machine.drain();
    await work;
    await queue.close();
    await redis.end();
  });

  test("has a store that forgets what it knows noticed", async () => {
    const redis = await RedisServer.start(folderOf());
    const folder = folderOf();
    await using connection = await connected(redis.url);
    const machine = machineOf(connection, cheapWorkers(cheap, 0, rightly(cheap)), { name: "here:m" });
    const work = machine.work();
    await using campaign = await coordinated(redis.url, folder, 20);
    // Each tenth job waits again once it is done, as if nobody looked whether it is known.
    const file = new DatabaseSync(join(folder, "campaign.db"));
    file.exec(`CREATE TABLE forgotten (id TEXT PRIMARY KEY);
      CREATE TRIGGER forgets AFTER UPDATE OF state ON jobs
      WHEN NEW.state = 'done' AND NEW.first % 500 = 0 AND NEW.id NOT IN (SELECT id FROM forgotten)
      BEGIN INSERT INTO forgotten VALUES (NEW.id); UPDATE jobs SET state = 'waiting' WHERE id = NEW.id; END`);
    file.close();
    await campaign.ended;
    expect(present(campaign.store.told.totals())[0]?.questions).toBeGreaterThan(1000);
    expect(isCountedOnce(campaign.store, 20)).toBe(false);
    machine.drain();
    await work;
    await redis.end();
  });

  test("refuses forged reports, counts and tells them, and has the jobs asked again", async () => {
    const redis = await RedisServer.start(folderOf());
    const forged: Answer[] = [
      ({ job }) => ({
        kind: "answered",
        job: job.id,
        asked: 51,
        answered: { report: cheap.report, milliseconds: 1 },
      }),
      ({ job }) => ({
        kind: "answered",
        job: job.id,
        asked: 49,
        answered: { report: cheap.report, milliseconds: 1 },
      }),
      ({ job }) => ({
        kind: "answered",
        job: job.id,
        asked: 50,
        answered: { report: "right", milliseconds: 1 },
      }),
      ({ job }) => ({
        kind: "answered",
        job: job.id,
        asked: -1,
        answered: { report: null, milliseconds: Number.NaN },
      }),
    ];
    let turn = 0;
    const lies: Answer = (told) => {
      turn += 1;
      return (turn % 2 === 0 ? forged[turn / 2 - 1] : undefined)?.(told) ?? rightly(cheap)(told);
    };
    await asked(redis.url, 20, lies, ({ coordinator, runner, store }) => {
      expect(coordinator.tallies(runner).get("refused")).toBe(4);
      expect(runner.refused.last).not.toBe("");
      expect(isCountedOnce(store, 20)).toBe(true);
    });
    await redis.end();
  });

  test("leaves the jobs of one adjudge to machines of that one, and lets one coordinator in", async () => {
    const redis = await RedisServer.start(folderOf());
    await using connection = await connected(redis.url);
    const workers = cheapWorkers(cheap, 0, rightly(cheap));
    const other = machineOf(connection, workers, { name: "here:other", adjudge: "0.2.0" });
    const otherWork = other.work();
    await using campaign = await coordinated(redis.url, folderOf(), 20);
    await pause(2500);
    expect(campaign.coordinator.isAwaited()).toBe(true);
    await using second = await coordinated(redis.url, folderOf(), 20);
    expect((await second.ended).issues).toMatchObject([{ code: "queue/busy" }]);
    const machine = machineOf(connection, workers, { name: "here:m" });
    const work = machine.work();
    await campaign.ended;
    expect(isCountedOnce(campaign.store, 20)).toBe(true);
    other.drain();
    machine.drain();
    expect([await otherWork, await work]).toEqual([0, 20]);
    await redis.end();
  });

  test("asks an engine on two machines, one of which is ended and the other killed", async () => {
    const redis = await RedisServer.start(folderOf(), ["--requirepass", "open sesame"]);
    const folder = folderOf();
    const url = redis.url.replace("//", "//:open%20sesame@");
    const env = { ADJUDGE_QUEUE: url };
    const command = `${engine} 1.9.0 relu_leaks`;
    const machines = [1, 2, 3].map(() =>
      start(["campaign", "work", "-e", command, "--jobs", "1"], "pipe", env),
    );
    const store = ["--store", join(folder, "campaign.db")];
    const words = ["run", ...store, "-e", command, "--kind", "graphs", "-d", "float64", "-n", "1500"];
    const run = start(["campaign", ...words, "--queue", url], "pipe");
    const health = async (): Promise<string> => (await adjudge("campaign", "status", "--queue", url)).out;
    let seen = "";
    while (!/^[1-9]\d* counted/m.test(seen)) {
      expect(run.child.exitCode).toBeNull();
      await pause(500);
      seen = await health();
    }
    expect(seen).toContain("shaky 1.9.0");
    expect(seen).not.toContain("sesame");
    machines[0]?.child.kill("SIGTERM");
    machines[1]?.child.kill("SIGKILL");
    expect(await machines[0]?.ended).toBe(exitCodes.agrees);
    expect(machines[0]?.notes.join("")).toMatch(/\d+ jobs? handed in/);
    expect(await run.ended).toBe(exitCodes.disagrees);
    expect(run.out.join("")).toMatch(/^1500 questions, [1-9] faults?$/m);
    machines[2]?.child.kill("SIGINT");
    expect(await machines[2]?.ended).toBe(exitCodes.agrees);
    for (const { child } of machines) endProcess(child.pid ?? 0);
    const { out } = await adjudge("campaign", "report", ...store, "--json");
    expect(out).not.toContain("sesame");
    const wrong = url.replace("open", "closed");
    const { code, notes } = await adjudge("campaign", "work", "--queue", wrong);
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining("WRONGPASS")]);
    expect(notes).not.toContain("sesame");
    await redis.end();
  });

  test("speaks TLS with a Redis that shows a certificate of its authority, and asks for one", async () => {
    const folder = folderOf();
    const file = (name: string): string => join(folder, name);
    const openssl = (...words: readonly string[]): void => {
      execFileSync("openssl", words, { cwd: folder, stdio: "ignore" });
    };
    openssl(
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem"],
      "-subj",
      "/CN=authority",
    );
    openssl(
      ...["req", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "request.pem"],
      "-subj",
      "/CN=localhost",
    );
    writeFileSync(file("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1");
    openssl(
      ...["x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"],
      ...["-extfile", "names", "-out", "cert.pem"],
    );
    const port = await freePort();
    const files = ["--tls-cert-file", file("cert.pem"), "--tls-key-file", file("key.pem")];
    const words = ["--tls-port", `${port}`, ...files, "--tls-ca-cert-file", file("ca.pem")];
    const redis = await RedisServer.start(folder, words);
    const url = `rediss://localhost:${port}`;
    const own = { cacert: file("ca.pem"), cert: file("cert.pem"), key: file("key.pem") };
    const flags = Object.entries(own).flatMap(([name, path]) => [`--${name}`, path]);
    const health = await adjudge("campaign", "status", "--queue", url, ...flags);
    expect([health.code, health.out]).toEqual([exitCodes.agrees, expect.stringContaining(url)]);
    // Without the authority the server is not believed; without a certificate it does not believe us.
    const strange = await adjudge("campaign", "status", "--queue", url);
    expect([strange.code, strange.notes]).toEqual([
      exitCodes.badInput,
      expect.stringContaining("certificate"),
    ]);
    const silent = await adjudge("campaign", "status", "--queue", url, "--cacert", own.cacert);
    expect(silent.code).toBe(exitCodes.badInput);
    await using connection = await connected(url, own);
    expect(await connection.redis.ping()).toBe("PONG");
    await redis.end();
  });
});
