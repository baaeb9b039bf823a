import { programVectors } from "../../conformance/index.ts";
import {
  type CompiledMutant,
  compiledGraphMutants,
  compiledProgramMutants,
  type Engine,
} from "../../engines/index.ts";
import { searchedCase } from "../../oracle/generate/index.ts";
import { ask } from "../../oracle/hearing/ask.ts";
import { laws } from "../../oracle/laws/index.ts";
import { askProgram } from "../../oracle/programs/ask.ts";
import { floatPrograms, taskAt } from "../../oracle/programs/draw.ts";
import { type ProgramTask, taskOfVector } from "../../oracle/programs/task.ts";
import { checkProgramVector } from "../../spec/index.ts";
import { suiteCases } from "../power/suite.ts";
import { graphPatterns, programPatterns } from "./patterns.ts";

/** How a planted fault was told. */
export interface Telling {
  readonly name: string;
  readonly fault: string;
  /** Random search told it with this case or program, counted from 1; `undefined` if with none. */
  readonly search: number | undefined;
  /** This vector of the suites told it first; `undefined` if none did. */
  readonly vector: string | undefined;
  /** If neither did: whether the pattern of the report does, which was written for it. */
  readonly isToldByPattern: boolean;
}

/** At most so many random cases, and random programs, are asked. */
export interface Most {
  readonly cases: number;
  readonly programs: number;
}

/** Tells each fault that a graph says, by random search with seed 1 and by the suites. */
export async function* toldOfGraphs(names: readonly string[], { cases }: Most): AsyncGenerator<Telling> {
  for (const mutant of compiledGraphMutants.filter(({ name }) => names.includes(name))) {
    const { name, fault } = mutant;
    const pattern = graphPatterns[name];
    const isToldByPattern =
      pattern !== undefined && (await ask(mutant.engine(), pattern, "float64", laws)).kind === "differs";
    const [search, vector] = [await searched(mutant, cases), await vectorFor(mutant)];
    yield { name, fault, search, vector, isToldByPattern };
  }
}

/** Asks only cases that have what the fault concerns: on others the engine is the interpreter. */
async function searched({ engine, mayDiffer }: CompiledMutant, cases: number): Promise<number | undefined> {
  const faulty = engine();
  for (let index = 0; index < cases; index++) {
    const question = searchedCase(1, index);
    if (!mayDiffer(question.graph)) continue;
    if ((await ask(faulty, question, "float64", laws)).kind === "differs") return index + 1;
  }
  return undefined;
}

async function vectorFor({ engine, mayDiffer }: CompiledMutant): Promise<string | undefined> {
  const faulty = engine();
  for (const { name, dtype, case: question } of suiteCases()) {
    if (!mayDiffer(question.graph)) continue;
    if ((await ask(faulty, question, dtype, laws)).kind === "differs") return name;
  }
  return undefined;
}

/** Tells each fault that a program says, by random programs with seed 1 and by the suites. */
export async function* toldOfPrograms(names: readonly string[], { programs }: Most): AsyncGenerator<Telling> {
  for (const { name, fault, engine } of compiledProgramMutants.filter((one) => names.includes(one.name))) {
    const random = Array.from({ length: programs }, (_, index) => () => taskAt(floatPrograms, 1, index));
    const search = await firstTold(engine(), random);
    const vector = await firstTold(
      engine(),
      vectors.map(
        ([, task]) =>
          () =>
            task,
      ),
    );
    const pattern = programPatterns[name];
    const isToldByPattern =
      pattern !== undefined && (await askProgram(engine(), pattern, "float64")).kind === "differs";
    yield {
      name,
      fault,
      isToldByPattern,
      search: search === undefined ? undefined : search + 1,
      vector: vector === undefined ? undefined : vectors[vector]?.[0],
    };
  }
}

const vectors: readonly (readonly [string, ProgramTask])[] = [...programVectors()].flatMap(
  ([name, json]): [string, ProgramTask][] => {
    const vector = checkProgramVector(json);
    return vector.ok ? [[name, taskOfVector(vector.value)]] : [];
  },
);

async function firstTold(engine: Engine, tasks: readonly (() => ProgramTask)[]): Promise<number | undefined> {
  for (const [place, task] of tasks.entries())
    if ((await askProgram(engine, task(), "float64")).kind === "differs") return place;
  return undefined;
}
