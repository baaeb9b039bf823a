import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { reportJson } from "../../../../conformance/report/index.ts";
import { description, section } from "../../../../conformance/report/sections.test.kit.ts";
import { emptyTally, noCounts } from "../../../../oracle/index.ts";
import { present } from "../store.test.kit.ts";
import type { CampaignStore } from "../store.ts";
import { coordinated, machineProcess } from "./fleet.test.kit.ts";
import { type Cheap, connected } from "./machine.test.kit.ts";
import { RedisServer } from "./redis.test.kit.ts";

/** What a crowd of workers took, and whether each job was counted once. */
export interface Figures {
  readonly jobs: number;
  readonly workers: number;
  readonly milliseconds: number;
  readonly seconds: number;
  /** Processor time of a job, in milliseconds. */
  readonly coordinatorCost: number;
  readonly redisCost: number;
  /** Processes that were killed. */
  readonly killed: number;
  readonly tallies: Readonly<Record<string, number>>;
  readonly isCountedOnce: boolean;
}

/** The engine that a crowd asks: 50 questions, and all agree. */
export const cheap: Cheap = {
  name: description.name,
  version: description.version,
  report: JSON.parse(
    JSON.stringify(
      reportJson({ adjudge: "0.1.0", seed: 1, cases: 50, profile: "mix", lawsEvery: 4, shares: [] }, [
        section({
          tally: { ...emptyTally, counts: { ...noCounts, agrees: 50 } },
          extent: { cases: 50, operators: new Set(), ended: "all", seconds: 1 },
        }),
      ]),
    ),
  ),
};

/** Tells whether a store has counted each question of so many jobs once. */
export function isCountedOnce(store: CampaignStore, jobs: number): boolean {
  const [total, ...others] = present(store.told.totals());
  const isAll = total?.questions === 50 * jobs && total.counts.agrees === 50 * jobs && total.dead === 0;
  return isAll && others.length === 0 && store.told.checkSums().ok;
}

/** So many processes are killed, one whenever as much more is counted. */
const KILLS = 40;

/** So many machines are in one process, and so many workers in one machine. */
const inOne = { process: 50, machine: 10 } as const;

/** Has workers ask jobs over a Redis of its own, and tells what that took. */
export async function crowd(
  folder: string,
  jobs: number,
  workers: number,
  milliseconds: number,
  isKilled: boolean,
): Promise<Figures> {
  const redis = await RedisServer.start(folder);
  const file = join(folder, "engine.json");
  writeFileSync(file, JSON.stringify(cheap));
  const start = (): ReturnType<typeof machineProcess> =>
    machineProcess(redis.url, file, {
      machines: isKilled ? 1 : Math.min(inOne.process, machines),
      jobs: isKilled ? 1 : Math.min(inOne.machine, workers),
      milliseconds,
    });
  const machines = Math.ceil(workers / inOne.machine);
  const count = isKilled ? workers : Math.ceil(machines / inOne.process);
  const processes = Array.from({ length: count }, start);
  let killed = 0;
  let [hasRestarted, isRestarting] = [!isKilled, false];
  await using campaign = await coordinated(redis.url, folder, jobs, { ahead: 64 });
  const killer = setInterval(() => {
    const [total] = present(campaign.store.told.totals());
    const questions = total?.questions ?? 0;
    // A machine that came while Redis was away has ended.
    for (const [place, one] of processes.entries())
      if (one.exitCode !== null && !isRestarting) processes[place] = start();
    if (!isKilled || isRestarting || questions < (killed * 50 * jobs) / KILLS) return;
    const place = Math.floor(Math.random() * processes.length);
    processes[place]?.kill("SIGKILL");
    processes[place] = start();
    killed += 1;
    if (hasRestarted || questions < 25 * jobs) return;
    [hasRestarted, isRestarting] = [true, true];
    void redis
      .end()
      .then(() => pause(500))
      .then(() => redis.start())
      .finally(() => {
        isRestarting = false;
      });
  }, 100);
  while (!isKilled && present(campaign.store.told.totals())[0]?.questions === undefined) await pause(20);
  const [begin, before] = [performance.now(), process.cpuUsage()];
  const redisBefore = await redisSeconds(redis.url);
  await campaign.ended;
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(before);
  clearInterval(killer);
  const redisAfter = await redisSeconds(redis.url);
  for (const one of processes) one.kill("SIGKILL");
  await redis.end();
  return {
    ...{ jobs, workers, milliseconds, seconds, killed },
    coordinatorCost: (user + system) / 1000 / jobs,
    // A Redis that began again counts from 0.
    redisCost: (1000 * (isKilled ? redisAfter : redisAfter - redisBefore)) / jobs,
    tallies: Object.fromEntries(campaign.coordinator.tallies(campaign.runner)),
    isCountedOnce: isCountedOnce(campaign.store, jobs),
  };
}

/** Reads how much processor time a Redis took since it began. */
async function redisSeconds(url: string): Promise<number> {
  await using connection = await connected(url);
  const info = await connection.redis.info("cpu");
  const times = [...info.matchAll(/^used_cpu_(?:user|sys):([0-9.]+)/gm)].map(([, time]) => Number(time));
  return times.reduce((sum, time) => sum + time, 0);
}
