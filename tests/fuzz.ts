/**
 * `npm run fuzz -- --seed 1 --seconds 60` gives hostile files to every command, lines to whoever asks an
 * engine of graphs, tapes, programs, estimates and posits, to `smoke` and to the storage profile, words to
 * the command line and Lean files to `lean check`. Nothing may crash, hang, print too much or a control
 * character, or end with an undocumented exit code; accepted Lean files must show the truth. `--only
 * files:123` tries one again. Ends with 1 if anything was found, or if Lean accepted nothing.
 */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Kind, type News, type Order, trierOf } from "./fuzz/trial.ts";

/** Seconds for one file or one engine; the slowest takes a few on a machine that does nothing else. */
const HANGS = 60;

/** Seconds until the first can be tried: Lean takes a while. */
const BEGINS = 600;

/** Memory of a lane's process, in megabytes: what a small file may cost. */
const MEMORY = 2048;

/** Faults that are told; more help nobody. */
const TOLD = 20;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "60" },
    only: { type: "string" },
  },
});

/** The lanes take these in turn; one more lane has Lean, which is another process. */
const kinds: readonly Kind[] = ["files", "lines", "words"];

/** Each of these counts must exceed 0: a run in which Lean refuses every file at once has tested nothing. */
const asked: readonly { readonly what: string; readonly share?: string }[] = [
  { what: "files to every command" },
  { what: "lines about graphs" },
  { what: "lines about tapes" },
  { what: "lines about programs" },
  { what: "lines about estimates" },
  { what: "lines about posits" },
  { what: "words to the storage profile" },
  { what: "lines to smoke" },
  { what: "command lines" },
  { what: "Lean files" },
  { what: "that Lean read", share: "Lean files" },
  { what: "that it accepted", share: "Lean files" },
];

interface Lane {
  readonly order: Order;
  readonly counts: Map<string, number>;
  readonly faults: string[];
  /** The time is over then; it is infinite until each lane is ready. */
  readonly deadline: () => number;
  readonly ready: () => void;
}

/**
 * Runs one lane until the time is over. A process that crashes or hangs is a fault, and another goes on. A
 * lane is a process and not a thread, since whoever ends a thread within native code may take all down.
 */
async function runLane({ order, counts, faults, deadline, ready }: Lane): Promise<void> {
  const { kind, stride } = order;
  let next = order.first;
  while (Date.now() < deadline() && faults.length < TOLD) {
    const ended = await new Promise<string | undefined>((resolve) => {
      const folder = mkdtempSync(join(tmpdir(), "adjudge-fuzz-"));
      const lane = fork(new URL("fuzz/lane.ts", import.meta.url), [folder], {
        execArgv: [`--max-old-space-size=${MEMORY}`],
      });
      let latest = Date.now() + 1000 * BEGINS;
      let begun = Date.now();
      /** What is told of the lane once it was asked to end. */
      let ending: { readonly fault: string | undefined } | undefined;
      const watch = setInterval(() => {
        if (Date.now() > latest) end(`${kind}:${next} hangs`);
        else if (Date.now() > deadline() && Date.now() > begun + 5000) end(undefined);
      }, 200);
      const end = (fault: string | undefined): void => {
        if (ending !== undefined) return;
        ending = { fault };
        clearInterval(watch);
        lane.kill("SIGTERM");
        setTimeout(() => lane.kill("SIGKILL"), 2000).unref();
      };
      lane.on("message", (news: News) => {
        switch (news.kind) {
          case "ready":
            return ready();
          case "begun":
            begun = Date.now();
            latest = begun + 1000 * HANGS;
            next = news.seed;
            if (begun > deadline()) end(undefined);
            return;
          case "done":
            for (const [what, count] of Object.entries(news.tried.counts))
              counts.set(what, (counts.get(what) ?? 0) + count);
            for (const fault of news.tried.faults) faults.push(`${kind}:${news.seed} ${fault}`);
            if (faults.length >= TOLD) end(undefined);
        }
      });
      lane.on("close", (code, signal) => {
        clearInterval(watch);
        rmSync(folder, { recursive: true, force: true });
        ready();
        resolve(
          ending === undefined ? `${kind}:${next} crashed: ${signal ?? `exit code ${code}`}` : ending.fault,
        );
      });
      lane.send({ ...order, first: next } satisfies Order);
    });
    if (ended === undefined) return;
    faults.push(ended);
    next += stride;
  }
}

/** Tries one seed of a kind again. */
async function runOnly(only: string): Promise<readonly string[]> {
  const [name, seed] = only.split(":");
  const kind = [...kinds, "lean" as const].find((one) => one === name);
  if (kind === undefined) return [`there is no kind ${name}`];
  const attempt = await trierOf(kind, tmpdir());
  return (await attempt(Number(seed))).faults;
}

if (values.only !== undefined) {
  const found = await runOnly(values.only);
  process.stdout.write(`${found.join("\n")}\n${found.length} faults\n`);
  process.exit(found.length === 0 ? 0 : 1);
}

const seconds = Number(values.seconds);
const faults: string[] = [];
const counts = new Map<string, number>();
let deadline = Number.POSITIVE_INFINITY;
/** Starts a lane: resolves once it is ready, and holds what resolves once it has ended. */
const start = (lane: number, kind: Kind, stride: number): Promise<{ readonly ended: Promise<void> }> => {
  const order: Order = { kind, first: 1_000_000 * Number(values.seed) + lane, stride };
  return new Promise((resolve) => {
    const ended: Promise<void> = runLane({
      order,
      counts,
      faults,
      deadline: () => deadline,
      ready: () => resolve({ ended }),
    });
  });
};
const lanes = Math.max(kinds.length, availableParallelism());
// Lean begins alone, since beside others its start would take most of a minute.
const begun = Date.now();
const lean = await start(0, "lean", 1);
const others = await Promise.all(
  Array.from({ length: lanes }, (_, lane) => start(lane, kinds[lane % kinds.length] ?? "files", lanes)),
);
deadline = Math.max(begun + 1000 * seconds, Date.now() + 667 * seconds);
await Promise.all([lean, ...others].map(({ ended }) => ended));
for (const fault of faults.slice(0, TOLD)) process.stdout.write(`✗ ${fault}\n`);
const told = asked.map(({ what, share }) => {
  const count = counts.get(what) ?? 0;
  const whole = share === undefined ? undefined : (counts.get(share) ?? 0);
  return whole === undefined
    ? `${count} ${what}`
    : `${count} ${what} (${Math.round((100 * count) / whole)} %)`;
});
process.stdout.write(`seed ${values.seed}: ${told.join(", ")}; ${faults.length} faults\n`);
process.exit(faults.length > 0 || asked.some(({ what }) => (counts.get(what) ?? 0) === 0) ? 1 : 0);
