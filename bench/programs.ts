/**
 * Measures how fast programs with memory are judged in this process, by an engine that has judged others, and
 * how fast a long one is recorded and swept: `node bench/programs.ts`. It prints processor seconds, the
 * median of some rounds after others that are not counted, and wall time; drawing is not included. Each round
 * has its own programs.
 */
import { availableParallelism, cpus } from "node:os";
import process from "node:process";
import { type Engine, interpreterEngine } from "../engines/index.ts";
import { floatPrograms, judgeProgram, programAt, taskAt } from "../oracle/index.ts";
import { execute, float64, Machine, record, type Start, sweepUnder } from "../reference/package.ts";
import { InvariantError, type Program, program } from "../spec/index.ts";

const ROUNDS = 5;
/** V8's compiler needs some thousand programs before the first round that counts. */
const WARM_UP = 5;
/** So few programs exist at once that the garbage collector has nothing to do with them. */
const AT_A_TIME = 50;
/** A round's programs are the first this many of the campaign that its number names. */
const PROGRAMS = 600;
/** The goal calls a program short if it executes so few statements. */
const SHORT = 20;
const WIDTH = 40;

interface Spent {
  readonly processor: number;
  readonly wall: number;
}

/** Measures the seconds that something takes. */
async function spentOn(work: () => unknown): Promise<Spent> {
  const [before, start] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { processor: (user + system) / 1e6, wall: (performance.now() - start) / 1000 };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * Counts the statements of the first call, without those of a procedure that is differentiated; `undefined`
 * if the call has no meaning, since a derivative that the program says is not finite.
 */
function executedBy(round: number, index: number): number | undefined {
  const { program: drawn, parameters, state, generator, received } = programAt(floatPrograms, round, index);
  let executed = 0;
  class Counting extends Machine<number, boolean> {
    override enter(): void {
      executed++;
    }
  }
  const start = { parameters, state, environment: new Map(), generator, world: received };
  const left = execute(float64, drawn, start, undefined, Counting);
  if (!left.ok && left.error[0]?.code === "program/derivative") return undefined;
  if (!left.ok) throw new InvariantError(`a drawn program fails: ${left.error[0]?.message}`);
  return executed;
}

interface Drawn {
  readonly index: number;
  readonly executed: number;
}

function drawnIn(round: number): readonly Drawn[] {
  return Array.from({ length: PROGRAMS }, (_, index) => index).flatMap((index) => {
    const executed = executedBy(round, index);
    return executed === undefined ? [] : [{ index, executed }];
  });
}

/** Judges programs in turn in every mode, a few at a time, drawn beforehand; none may disagree. */
async function judged(engine: Engine, round: number, programs: readonly Drawn[]): Promise<Spent> {
  const total = { processor: 0, wall: 0 };
  for (let from = 0; from < programs.length; from += AT_A_TIME) {
    const drawn = programs.slice(from, from + AT_A_TIME);
    const tasks = drawn.map(({ index }) => taskAt(floatPrograms, round, index));
    const { processor, wall } = await spentOn(async () => {
      for (const task of tasks) {
        const { kind } = await judgeProgram(engine, task, { dtype: "float64" });
        if (kind !== "agrees" && kind !== "undecided") throw new InvariantError(`the interpreter ${kind}`);
      }
    });
    total.processor += processor;
    total.wall += wall;
  }
  return total;
}

interface Round {
  readonly programs: readonly Drawn[];
  readonly spent: Spent;
}

function printThroughput(name: string, rounds: readonly Round[], goal: string): void {
  const rateBy = (clock: keyof Spent): string =>
    median(rounds.map(({ programs, spent }) => programs.length / spent[clock])).toFixed(0);
  const counts = rounds.flatMap(({ programs }) => programs.map(({ executed }) => executed));
  const mean = (counts.reduce((sum, count) => sum + count, 0) / counts.length).toFixed(1);
  console.log(
    `${name.padEnd(WIDTH)} ${rateBy("processor").padStart(6)} programs/s, by the wall ${rateBy("wall")}${goal}`,
  );
  console.log(
    `  ${counts.length} programs; statements executed: ${mean} in the mean, ${median(counts)} in the median`,
  );
}

/** In each round the short programs come first; the rate of all is that of both together. */
async function printJudging(): Promise<void> {
  const engine = interpreterEngine();
  const [short, all]: [Round[], Round[]] = [[], []];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const programs = drawnIn(round);
    const parts = [
      programs.filter(({ executed }) => executed <= SHORT),
      programs.filter(({ executed }) => executed > SHORT),
    ] as const;
    const few = await judged(engine, round, parts[0]);
    const rest = await judged(engine, round, parts[1]);
    if (round < 0) continue;
    short.push({ programs: parts[0], spent: few });
    const spent = { processor: few.processor + rest.processor, wall: few.wall + rest.wall };
    all.push({ programs, spent });
  }
  printThroughput(`judged, at most ${SHORT} statements executed`, short, "   goal 1000");
  printThroughput("judged, all", all, "");
}

/** A turn is one statement, and its body four. */
const TURNS = 20_000;

/** This loop overwrites two elements of a location in turn. */
const long: Program = program(({ input, buffer, for_ }) => {
  const a = buffer(input("x", [4]));
  for_(TURNS, () => {
    const [one, other] = [a.at(0), a.at(1)];
    one.update("multiply", other);
    other.write(one);
  });
  return [a];
});

const longStart: Start<number> = {
  parameters: [{ shape: [4], data: [0.5, 1, 1.5, 2] }],
  state: [],
  environment: new Map(),
  generator: { key: [1, 2], drawn: 0 },
  world: new Map(),
};

async function printLong(name: string, work: () => { readonly ok: boolean }): Promise<void> {
  const spent: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const { processor } = await spentOn(() => {
      if (!work().ok) throw new InvariantError(`${name} fails`);
    });
    if (round > 0) spent.push(processor);
  }
  console.log(`${name.padEnd(WIDTH)} ${median(spent).toFixed(2).padStart(6)} s   goal 2`);
}

console.log(
  `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Node ${process.version}`,
);
console.log(`one core, all three modes, float64; median of ${ROUNDS} rounds`);
await printJudging();
const seeds = new Map([[0, { shape: [4], data: [1, 1, 1, 1] }]]);
await printLong("10⁵ statements recorded", () => record(float64, long, longStart));
await printLong("10⁵ statements recorded and swept", () =>
  sweepUnder("copy", float64, long, longStart, seeds),
);
