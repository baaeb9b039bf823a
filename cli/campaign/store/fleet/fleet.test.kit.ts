import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { joinedSections } from "../outcome.ts";
import { type Ended, Runner } from "../runner.ts";
import { present, start } from "../store.test.kit.ts";
import { CampaignStore } from "../store.ts";
import { Coordinator } from "./coordinator.ts";
import { connected } from "./machine.test.kit.ts";

/** A campaign about such an engine, which others ask. */
export interface Coordinated extends AsyncDisposable {
  readonly store: CampaignStore;
  readonly runner: Runner;
  readonly coordinator: Coordinator;
  readonly ended: Promise<Ended>;
}

/** Begins a campaign of so many jobs of 50 questions. */
export async function coordinated(
  url: string,
  folder: string,
  jobs: number,
  { ahead = 64, file = "campaign.db" } = {},
): Promise<Coordinated> {
  const connection = await connected(url);
  const store = present(CampaignStore.open(join(folder, file), true, { join: joinedSections }));
  const run = present(store.beginRun(start(`here:${crypto.randomUUID()}`), () => true));
  const name = `here:${process.pid}.${file}`;
  const world = { store, labels: ["one"], name, adjudge: "0.1.0", ahead, note: () => {} };
  const coordinator = new Coordinator(connection, world);
  const runner = new Runner(
    {
      ...{ labels: [], kinds: ["graphs"], dtypes: [], profile: "mix", seed: 1, lawsEvery: 4 },
      ...{ adjudge: "0.1.0", most: jobs * 50 },
    },
    {
      ...{ store, run, start: coordinator.start, workers: 0, lease: 180_000, now: Date.now },
      ...{ until: Number.POSITIVE_INFINITY, fleet: coordinator },
    },
  );
  const timer = setInterval(() => runner.tick(), 1000);
  const end = runner.begin();
  const served = coordinator.serve(runner, end);
  const ended = Promise.all([end, served]).then(([one]) => one);
  return {
    ...{ store, runner, coordinator, ended },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      runner.abandon();
      await ended;
      await connection[Symbol.asyncDispose]();
      store[Symbol.dispose]();
    },
  };
}

/** Starts a process of machines with so many workers each, which answer after so many milliseconds. */
export function machineProcess(
  url: string,
  cheap: string,
  { machines, jobs, milliseconds }: { machines: number; jobs: number; milliseconds: number },
): ChildProcess {
  const script = fileURLToPath(new URL("./machine.test.script.ts", import.meta.url));
  const words = [url, cheap, ...[machines, jobs, milliseconds].map(String)];
  return spawn(process.execPath, [script, ...words], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}
