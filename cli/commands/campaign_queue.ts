import { availableParallelism, hostname } from "node:os";
import process from "node:process";
import { type Command, InvalidArgumentError, Option } from "commander";
import { counted } from "../../conformance/report/index.ts";
import { chooseEngines } from "../../conformance/testees/index.ts";
import type { Issue, Result } from "../../spec/shapes/index.ts";
import {
  addressOf,
  type Connection,
  healthLines,
  healthOf,
  Machine,
  openRedis,
  type TlsFiles,
} from "../campaign/store/fleet/index.ts";
import { forkedWorkers } from "../campaign/store/index.ts";
import { type ConfigFlags, withConfig } from "../options/config.ts";
import { collect, naturalNumber, report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { packageVersion } from "../terminal/version.ts";

/**
 * A process without a sign of life for so many milliseconds has lost its job; a question may take a
 * minute.
 */
export const LEASE = 180_000;

/** A machine without a sign of life for so many milliseconds has lost its jobs. */
const LOCK = 30_000;

const signals = ["SIGINT", "SIGTERM"] as const;

/** The flags of commands that use a queue. */
export interface QueueFlags extends TlsFiles {
  readonly queue?: string;
}

/** Tells whether a command uses a queue. */
export function hasQueue(flags: QueueFlags): flags is QueueFlags & Required<Pick<QueueFlags, "queue">> {
  return flags.queue !== undefined;
}

/** Adds the options of a queue; its address, which may have a password, can stand in the environment. */
export function queueOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--queue <url>", "a fleet's Redis: redis://user:password@host:6379/0, or rediss://").env(
        "ADJUDGE_QUEUE",
      ),
    )
    .option("--cacert <file>", "with rediss://: check the server's certificate against this one")
    .option("--cert <file>", "with rediss://: a certificate of ours, if the server asks for one")
    .option("--key <file>", "with rediss://: the key of that certificate");
}

/** Makes the option that says how many jobs wait. */
export function aheadOption(): Option {
  return new Option("--ahead <number>", "with --queue: so many jobs wait for machines at most")
    .argParser(aheadNumber)
    .default(64);
}

/** No fleet gains from more jobs that wait than this. */
const MOST = 10_000;

function aheadNumber(text: string): number {
  const ahead = naturalNumber(text);
  if (ahead < 1 || ahead > MOST)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
  return ahead;
}

/** Connects to the queue of a command. Fails: as `addressOf` and `openRedis` do. */
export async function openQueue(
  { queue, cacert, cert, key }: QueueFlags & Required<Pick<QueueFlags, "queue">>,
  { note, palette }: Terminal,
): Promise<Result<Connection, Issue[]>> {
  const files = {
    ...(cacert === undefined ? {} : { cacert }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  const address = addressOf(queue, files);
  if (!address.ok) return address;
  return await openRedis(address.value, (line) => note(`${palette.yellow("!")} ${line}`));
}

/** Tells why there is no queue, and returns the exit code for that. */
export function withoutQueue(issues: readonly Issue[], terminal: Terminal): ExitCode {
  report(terminal, issues);
  return issues.some(({ code }) => code === "package/missing") ? exitCodes.nothingRun : exitCodes.badInput;
}

/** Tells the state of a queue. */
export async function tellHealth(
  flags: QueueFlags & Required<Pick<QueueFlags, "queue">>,
  terminal: Terminal,
): Promise<ExitCode> {
  const queue = await openQueue(flags, terminal);
  if (!queue.ok) return withoutQueue(queue.error, terminal);
  await using connection = queue.value;
  const now = Date.now();
  const health = await healthOf(connection, packageVersion(), now);
  for (const line of healthLines(health, now, terminal)) terminal.out(line);
  return exitCodes.agrees;
}

const workDescription = `Asks what a campaign wants to know of the engines that are named here, and hands it in:
one machine of a fleet. Jobs come from the Redis of --queue, where adjudge campaign run --queue puts them; they name
an engine as -e does here, and no other command is run. SIGINT and SIGTERM have processes hand in what they have
asked, and end it; a second one ends it at once, and its jobs are taken over.

Exit codes: 0 it was ended, 2 bad input, or no such Redis, 4 no engine of these can be asked here, or a package is
missing.`;

interface WorkFlags extends ConfigFlags, QueueFlags {
  readonly engine: readonly string[];
  readonly jobs: number;
}

/** Adds `adjudge campaign work`, which is a machine of a fleet. */
export function workCommand(campaign: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const command = campaign
    .command("work")
    .summary("ask for a campaign of another machine, over Redis")
    .description(workDescription)
    .option("-e, --engine <name-or-command>", "an engine to ask; may be repeated", collect, [])
    .option("--jobs <number>", "ask in so many processes at once", jobsOption, availableParallelism());
  queueOptions(command);
  withConfig(command, ["engine"], terminal);
  command.action(async (flags: WorkFlags) => end(await work(flags, terminal)));
}

async function work(flags: WorkFlags, terminal: Terminal): Promise<ExitCode> {
  const choices = chooseEngines(flags.engine.length === 0 ? ["interpreter"] : flags.engine, flags.named);
  const queue = !choices.ok
    ? choices
    : hasQueue(flags)
      ? await openQueue(flags, terminal)
      : { ok: false as const, error: [noQueue] };
  if (!choices.ok || !queue.ok) {
    return withoutQueue(choices.ok ? (queue.ok ? [] : queue.error) : choices.error, terminal);
  }
  await using connection = queue.value;
  const machine = new Machine(connection, {
    labels: [...new Set(choices.value.map(({ label }) => label))],
    ...{ jobs: flags.jobs, start: forkedWorkers(flags.named), lease: LEASE, lock: LOCK },
    ...{ name: `${hostname()}:${process.pid}`, adjudge: packageVersion(), note: terminal.note },
  });
  let signal: NodeJS.Signals | undefined;
  const onSignal = (heard: NodeJS.Signals): void => {
    signal ??= heard;
    // A second signal ends the process at once.
    for (const one of signals) process.off(one, onSignal);
    terminal.note("what was asked is handed in; a second signal ends this at once");
    machine.drain();
  };
  for (const one of signals) process.on(one, onSignal);
  const done = await machine.work();
  for (const one of signals) process.off(one, onSignal);
  terminal.note(`${counted(done, "job")} handed in`);
  return signal === undefined ? exitCodes.nothingRun : exitCodes.agrees;
}

const noQueue: Issue = {
  code: "queue/none",
  pointer: "",
  message: "a machine needs the Redis of its fleet.",
  hint: "give --queue redis://host:6379, or ADJUDGE_QUEUE in the environment",
};

/** No machine gains from more processes than this. */
const MOST_JOBS = 256;

/** Reads how many processes ask at once. */
export function jobsOption(text: string): number {
  const jobs = naturalNumber(text);
  if (jobs < 1 || jobs > MOST_JOBS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_JOBS}.`);
  return jobs;
}
