/**
 * Hostile files to every command, hostile lines to the engine runner and hostile words to the command line, from a seed: `npm run fuzz -- --seed 1 --seconds 60`. Asked is
 * that nothing crashes, nothing hangs, no more than a small file deserves is said, with a documented exit code and without a control character.
 * `--only files:123` tries one again. Ends with 1 if anything was found.
 */
import { availableParallelism, tmpdir } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { tryFile } from "./fuzz/files.ts";
import { tryLines } from "./fuzz/lines.ts";
import { tryWords } from "./fuzz/words.ts";
import type { News, Order } from "./fuzz/worker.ts";

/** Seconds for one file or one engine; the slowest takes a few on a machine that does nothing else. */
const HANGS = 60;

/** Memory of a thread, in megabytes: what a small file may cost. */
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

/** What the lanes do in turn. */
const kinds = ["files", "lines", "words"] as const satisfies readonly Order["kind"][];

interface Lane {
  readonly kind: Order["kind"];
  readonly counts: { tried: number };
  readonly faults: string[];
}

/** Runs one lane until the time is over. A thread that crashes or hangs is a fault, and another one goes on behind it. */
async function runLane({ kind, counts, faults }: Lane, order: Order, deadline: number): Promise<void> {
  let next = order.first;
  while (Date.now() < deadline && faults.length < TOLD) {
    const ended = await new Promise<string | undefined>((resolve) => {
      const worker = new Worker(new URL("fuzz/worker.ts", import.meta.url), {
        workerData: { kind, first: next, stride: order.stride } satisfies Order,
        resourceLimits: { maxOldGenerationSizeMb: MEMORY },
      });
      let begun = Date.now();
      const watch = setInterval(() => {
        if (Date.now() > begun + 1000 * HANGS) end(`${kind}:${next} hangs`);
        else if (Date.now() > deadline && Date.now() > begun + 5000) end(undefined);
      }, 200);
      const end = (fault: string | undefined): void => {
        clearInterval(watch);
        void worker.terminate().then(() => resolve(fault));
      };
      worker.on("message", (news: News) => {
        if (news.kind === "begun") {
          begun = Date.now();
          next = news.seed;
          if (Date.now() > deadline) end(undefined);
          return;
        }
        counts.tried += news.count;
        for (const fault of news.faults) faults.push(`${kind}:${news.seed} ${fault}`);
        if (faults.length >= TOLD) end(undefined);
      });
      worker.on("error", (thrown) => end(`${kind}:${next} crashed: ${thrown.stack ?? thrown.message}`));
    });
    if (ended === undefined) return;
    faults.push(ended);
    next += order.stride;
  }
}

if (values.only !== undefined) {
  const [kind, seed] = values.only.split(":");
  const found =
    kind === "files"
      ? await tryFile(Number(seed), tmpdir())
      : kind === "words"
        ? await tryWords(Number(seed))
        : (await tryLines(Number(seed))).faults;
  process.stdout.write(`${found.join("\n")}\n${found.length} faults\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
} else {
  const lanes = Math.max(kinds.length, availableParallelism());
  const deadline = Date.now() + 1000 * Number(values.seconds);
  const faults: string[] = [];
  const counts = { files: { tried: 0 }, lines: { tried: 0 }, words: { tried: 0 } };
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) => {
      const kind = kinds[lane % kinds.length] ?? "files";
      const order: Order = { kind, first: 1_000_000 * Number(values.seed) + lane, stride: lanes };
      return runLane({ kind, counts: counts[kind], faults }, order, deadline);
    }),
  );
  for (const fault of faults.slice(0, TOLD)) process.stdout.write(`✗ ${fault}\n`);
  process.stdout.write(
    `seed ${values.seed}: ${counts.files.tried} files to every command, ${counts.lines.tried} lines to the runner, ${counts.words.tried} command lines, ${faults.length} faults\n`,
  );
  if (faults.length > 0 || Object.values(counts).some(({ tried }) => tried === 0)) process.exitCode = 1;
}
