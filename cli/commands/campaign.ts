import { availableParallelism, hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { siteOf } from "../../conformance/report/formats/index.ts";
import { counted } from "../../conformance/report/index.ts";
import { chooseEngines } from "../../conformance/testees/index.ts";
import { drawingNamed, namesOfDrawings } from "../../oracle/generate/index.ts";
import { visible, visibleJson } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { Coordinator, countsText, masked } from "../campaign/store/fleet/index.ts";
import {
  type CampaignStore,
  campaignOf,
  deadLines,
  durationOf,
  type Ended,
  forkedWorkers,
  LiveTable,
  openStore,
  paceText,
  Runner,
  reportLines,
  type SeriesKind,
  seriesKinds,
  summaryLine,
  tableLines,
} from "../campaign/store/index.ts";
import { writeTexts } from "../files/files.ts";
import { type ConfigFlags, withConfig } from "../options/config.ts";
import { collect, dtypeOption, naturalNumber, report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import { invocationOf } from "../terminal/invocation.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { packageVersion } from "../terminal/version.ts";
import {
  aheadOption,
  hasQueue,
  jobsOption,
  LEASE,
  openQueue,
  type QueueFlags,
  queueOptions,
  tellHealth,
  withoutQueue,
  workCommand,
} from "./campaign_queue.ts";

const STORE = "adjudge.campaign.db";

/** The clock is looked at so often, in milliseconds. */
const TICK = 1000;

/** Where nobody watches, a line is written so often, in milliseconds. */
const LINE = 60_000;

/** After a signal, workers have so many milliseconds to hand in what they have asked. */
const GRACE = 300;

/** At the end a Redis has so many milliseconds to hear of it. */
const PARTING = 3000;

const signals = ["SIGINT", "SIGTERM"] as const;

/** Adds `adjudge campaign`, which asks for hours and remembers everything. */
export function campaignCommand(
  program: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
  argv: readonly string[],
): void {
  const campaign = program.command("campaign").summary("ask engines for hours, and keep all that is found");
  runCommand(campaign, terminal, end, argv);
  workCommand(campaign, terminal, end);
  statusCommand(campaign, terminal, end);
  reportCommand(campaign, terminal, end);
}

const runDescription = `Asks engines random questions for as long as you say, in several processes, and keeps every
verdict, each fault with its smallest witness, and what was asked in a store: one file of SQLite. A run goes on
where the last one ended, however it ended: what was counted is not asked again. Engines, kinds and precisions that
were asked least come first, then those that took least time. Two versions of one engine are two engines here,
asked the same questions. With --queue, other machines ask: those that run adjudge campaign work.
docs/campaigns.md tells more.

Exit codes: 0 no fault is known, 1 an engine disagrees, 2 bad input, or the store cannot be written, 3 an engine
crashed or did not start, 4 nothing was asked.`;

interface RunFlags extends ConfigFlags, QueueFlags {
  readonly store: string;
  readonly engine: readonly string[];
  readonly kind: readonly SeriesKind[];
  readonly dtype: readonly DataType[];
  readonly profile: string;
  readonly seed: number;
  readonly lawsEvery: number;
  readonly for?: number;
  readonly cases?: number;
  readonly jobs: number;
  readonly ahead: number;
}

const storeOption = ["--store <file>", "the file that keeps the campaign", STORE] as const;

function runCommand(
  campaign: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
  argv: readonly string[],
): void {
  const command = campaign
    .command("run")
    .summary("ask, from where the last run ended")
    .description(runDescription)
    .option(...storeOption)
    .option("-e, --engine <name-or-command>", "an engine to ask; may be repeated", collect, [])
    .addOption(
      new Option("--kind <kind>", "what is asked; may be repeated (default: all that an engine has)")
        .argParser(kindOption)
        .default([]),
    )
    .option(
      "-d, --dtype <precision>",
      "a precision; may be repeated (default: all the engine has; of programs float64)",
      dtypeOption,
      [],
    )
    .option("--profile <name>", "what random cases look like, as of judge", profileOption, "mix")
    .option("--seed <number>", "seed of the random questions", naturalNumber, 1)
    .option("--laws-every <n>", "check the reference-free laws on every n-th case; 0 never", naturalNumber, 4)
    .option("--for <time>", "how long, such as 8h or 90m (default: until Ctrl-C, or -n)", durationOption)
    .option("-n, --cases <number>", "ask no engine more questions of a kind in a precision", naturalNumber)
    .option("--jobs <number>", "ask in so many processes at once", jobsOption, availableParallelism());
  queueOptions(command).addOption(aheadOption());
  withConfig(command, ["engine", "dtype", "profile", "seed"], terminal);
  command.action(async (flags: RunFlags) => {
    const words = invocationOf(argv.map(masked), new Date(), process.versions.node);
    end(await run(flags, words.command, words.started, terminal));
  });
}

async function run(flags: RunFlags, words: string, started: string, terminal: Terminal): Promise<ExitCode> {
  const { engine, kind, store: path } = flags;
  const queue = hasQueue(flags) ? await openQueue(flags, terminal) : undefined;
  if (queue?.ok === false) {
    return withoutQueue(queue.error, terminal);
  }
  await using connection = queue?.value;
  const choices = chooseEngines(engine.length === 0 ? ["interpreter"] : engine, flags.named);
  const opened = choices.ok ? openStore(path, true) : choices;
  if (!choices.ok || !opened.ok) {
    report(terminal, opened.ok ? [] : opened.error);
    return exitCodes.badInput;
  }
  using store = opened.value;
  const adjudge = packageVersion();
  const owner = `${hostname()}:${process.pid}`;
  const began = store.beginRun({ started, adjudge, owner, words }, isGone);
  if (!began.ok) {
    report(terminal, began.error);
    return exitCodes.badInput;
  }
  const until = Date.now() + (flags.for ?? Number.POSITIVE_INFINITY);
  const labels = [...new Set(choices.value.map(({ label }) => label))];
  const coordinator =
    connection &&
    new Coordinator(connection, {
      ...{ store, labels, name: owner, adjudge, ahead: flags.ahead },
      note: terminal.note,
    });
  const runner = new Runner(
    {
      labels: coordinator === undefined ? labels : [],
      kinds: kind.length === 0 ? seriesKinds : kind,
      dtypes: flags.dtype,
      ...{ profile: flags.profile, seed: flags.seed, lawsEvery: flags.lawsEvery, adjudge },
      most: flags.cases ?? Number.MAX_SAFE_INTEGER,
    },
    {
      ...{ store, run: began.value, lease: LEASE, now: Date.now, until },
      ...(coordinator === undefined
        ? { start: forkedWorkers(flags.named), workers: flags.jobs }
        : { start: coordinator.start, workers: 0, fleet: coordinator }),
    },
  );
  const { ended, signal } = await watched(runner, store, coordinator, until, terminal);
  const closed = store.endRun(began.value, new Date().toISOString());
  const issues = [...ended.issues, ...(closed.ok || ended.issues.length > 0 ? [] : closed.error)];
  tellEngines(ended, terminal);
  if (coordinator !== undefined) terminal.note(`reports: ${countsText(coordinator.tallies(runner))}`);
  const code = tellStore(store, terminal);
  report(terminal, issues);
  if (signal !== undefined) {
    terminal.note(`${terminal.palette.yellow("!")} interrupted; the same command goes on`);
    store[Symbol.dispose]();
    process.kill(process.pid, signal);
  }
  if (issues.length > 0) return exitCodes.badInput;
  return ended.broken.size > 0 && code !== exitCodes.disagrees ? exitCodes.undecided : code;
}

/** Runs to the end, and shows how far it is; a signal has the workers hand in what they have asked. */
async function watched(
  runner: Runner,
  store: CampaignStore,
  coordinator: Coordinator | undefined,
  until: number,
  terminal: Terminal,
): Promise<{ readonly ended: Ended; readonly signal: NodeJS.Signals | undefined }> {
  let signal: NodeJS.Signals | undefined;
  const onSignal = (heard: NodeJS.Signals): void => {
    signal ??= heard;
    // A second signal ends the process at once.
    for (const one of signals) process.off(one, onSignal);
    runner.drain();
    setTimeout(() => runner.abandon(), GRACE);
  };
  for (const one of signals) process.on(one, onSignal);
  const live = process.stderr.isTTY ? new LiveTable((text) => void process.stderr.write(text)) : undefined;
  const begin = Date.now();
  const before = askedIn(store);
  let next = begin + LINE;
  const timer = setInterval(() => {
    runner.tick();
    // A fleet whose Redis is away hands nothing in.
    if (Date.now() > until + LEASE) runner.abandon();
    const shown = store.told.totals();
    const faults = store.told.faultCount();
    if (!shown.ok || !faults.ok) return;
    const pace = paceText(askedIn(store) - before, Date.now() - begin, Math.max(0, until - Date.now()));
    const summary = `${summaryLine(shown.value, faults.value)}${pace}`;
    if (live !== undefined) {
      const rows = (process.stderr.rows || 24) - 3;
      live.show([...tableLines(shown.value, terminal).slice(0, rows), summary]);
    } else if (Date.now() >= next) {
      next = Date.now() + LINE;
      terminal.note(summary);
    }
  }, TICK);
  try {
    const end = runner.begin();
    const served = coordinator?.serve(runner, end);
    const ended = await end;
    // What Redis has is put in order, unless Redis is away.
    await Promise.race([served, pause(PARTING, undefined, { ref: false })]);
    return { ended, signal };
  } finally {
    clearInterval(timer);
    live?.clear();
    for (const one of signals) process.off(one, onSignal);
  }
}

/** Counts the questions that were asked so far. */
function askedIn(store: CampaignStore): number {
  const totals = store.told.totals();
  return totals.ok ? totals.value.reduce((sum, { questions }) => sum + questions, 0) : 0;
}

function tellEngines({ absent, broken, refused }: Ended, { note, palette }: Terminal): void {
  if (refused.reports > 0)
    note(
      `${palette.red("✗")} ${counted(refused.reports, "report")} of workers refused; the last: ${refused.last}`,
    );
  for (const [label, reason] of absent)
    note(`${palette.yellow("–")} ${visible(label, 400)} is not installed and was not asked: ${reason}`);
  for (const [label, reason] of broken)
    note(`${palette.red("✗")} ${visible(label, 400)}: ${visible(reason, 2000)}`);
}

/** Prints what a store has, and returns the exit code that it asks for. */
function tellStore(store: CampaignStore, terminal: Terminal): ExitCode {
  const totals = store.told.totals();
  const findings = store.told.findings();
  const sums = store.told.checkSums();
  const issues = [totals, findings, sums].flatMap((part) => (part.ok ? [] : part.error));
  if (!totals.ok || !findings.ok || issues.length > 0) {
    report(terminal, issues);
    return exitCodes.badInput;
  }
  for (const line of tableLines(totals.value, terminal)) terminal.out(line);
  terminal.out(summaryLine(totals.value, findings.value.length));
  if (findings.value.some(({ sort }) => sort === "disagrees")) return exitCodes.disagrees;
  if (findings.value.length > 0) return exitCodes.undecided;
  return totals.value.some(({ questions }) => questions > 0) ? exitCodes.agrees : exitCodes.nothingRun;
}

function statusCommand(campaign: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  const command = campaign
    .command("status")
    .summary("tell what a campaign has asked and found so far")
    .description(statusDescription)
    .option(...storeOption)
    .action(async (flags: Pick<RunFlags, "store"> & QueueFlags) => {
      if (hasQueue(flags)) return end(await tellHealth(flags, terminal));
      const opened = openStore(flags.store, false);
      if (!opened.ok) {
        report(terminal, opened.error);
        return end(exitCodes.badInput);
      }
      using store = opened.value;
      const code = tellStore(store, terminal);
      const dead = store.told.dead();
      if (dead.ok) for (const line of deadLines(dead.value, terminal)) terminal.out(line);
      end(code);
    });
  queueOptions(command);
}

const statusDescription = `Tells what a campaign has asked of each engine, kind and precision, how many faults it knows,
whether the store's sums are right: each question counted once, and which questions were given up. A run may go on
meanwhile. With --queue it tells of a fleet instead: its coordinator, its machines, and what waits for how long.

Exit codes: as of campaign run.`;

const reportDescription = `Tells what a campaign has found: each fault in a line, what broke and was mended from one version
of an engine to the next at questions that both were asked, and the trend over the runs. With --site it writes pages
that any server of files can publish: one of all engines, one an engine, one an operator, the whole reports, and
badges.

Exit codes: 0 no fault is known, 1 an engine disagrees, 2 bad input, 3 an engine crashed, 4 nothing was asked.`;

interface ReportFlags extends Pick<RunFlags, "store"> {
  readonly site?: string;
  readonly json?: boolean;
}

function reportCommand(campaign: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  campaign
    .command("report")
    .summary("tell the faults, what changed between versions, the trend; write a site")
    .description(reportDescription)
    .option(...storeOption)
    .option("--site <folder>", "write pages and badges to this folder")
    .option("--json", "print all as JSON")
    .action(async (flags: ReportFlags) => end(await tellReport(flags, terminal)));
}

async function tellReport(
  { store: path, site, json = false }: ReportFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const opened = openStore(path, false);
  if (!opened.ok) {
    report(terminal, opened.error);
    return exitCodes.badInput;
  }
  using store = opened.value;
  const campaign = await campaignOf(store.told, packageVersion());
  if (!campaign.ok) {
    report(terminal, campaign.error);
    return exitCodes.badInput;
  }
  const findings = store.told.findings();
  if (json) terminal.out(visibleJson(campaign.value, 2));
  else if (findings.ok)
    for (const line of reportLines(campaign.value, findings.value, terminal)) terminal.out(line);
  const code = tellStore(store, json ? { ...terminal, out: () => {} } : terminal);
  if (site === undefined) return code;
  const written = await writeTexts(site, await siteOf(campaign.value));
  if (!written.ok) {
    report(terminal, written.error);
    return exitCodes.badInput;
  }
  terminal.note(`As pages: ${visible(join(site, "index.html"), 400)}`);
  return code;
}

/** Tells whether the process of a run on this machine is gone. */
function isGone(owner: string): boolean {
  const [host, pid] = owner.split(":");
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH";
  }
}

function kindOption(text: string, earlier: readonly SeriesKind[]): readonly SeriesKind[] {
  const kind = seriesKinds.find((name) => name === text);
  if (kind === undefined) throw new InvalidArgumentError(`It must be one of ${seriesKinds.join(", ")}.`);
  return [...earlier, kind];
}

function profileOption(text: string): string {
  if (drawingNamed(text) !== undefined) return text;
  throw new InvalidArgumentError(`It must be one of ${namesOfDrawings}.`);
}

function durationOption(text: string): number {
  const duration = durationOf(text);
  if (duration.ok) return duration.value;
  throw new InvalidArgumentError(duration.error);
}
