import { bodiesOf, type Instruction, type LoopProgram, operandsOf, type Regime } from "../../plan/index.ts";
import { instructionText } from "./instruction.ts";
import { indexName, type Memory, sourceName } from "./memory.ts";

/** Calls in one function: V8 optimises none over 60 kB of bytecode, and a call takes some 20 bytes. */
const callsPerFunction = 500;

/**
 * Writes a program as loops: a function for each instruction, because V8 optimises functions one by one, and
 * `run(S, X)`, which calls them with their sources and index sources. Routines are called as `R[n](S, X)`.
 */
export function loopProgramText(memory: Memory, regime: Regime): string {
  const { program } = memory;
  const functions: string[] = [];
  const calls: string[] = [];
  for (const [n, instruction] of program.instructions.entries()) {
    if (instruction.kind === "routine") {
      calls.push(`R[${n}](S,X);`);
      continue;
    }
    const text = instructionText(memory, regime, instruction, program.sources.length + n);
    if (text === "") continue;
    const { names, values } = argumentsOf(program, instruction);
    functions.push(`function f${n}(${names}){${text}}`);
    calls.push(`f${n}(${values});`);
  }
  const parts: string[] = [];
  for (let first = 0; first < calls.length; first += callsPerFunction) {
    parts.push(calls.slice(first, first + callsPerFunction).join(""));
  }
  if (parts.length === 1) return `${functions.join("\n")}\nfunction run(S,X){${parts[0]}}`;
  const groups = parts.map((part, n) => `function g${n}(S,X){${part}}`);
  return `${[...functions, ...groups].join("\n")}\nfunction run(S,X){${parts.map((_, n) => `g${n}(S,X);`).join("")}}`;
}

/** Lists the arguments of a function: the sources that its instruction reads. */
function argumentsOf(program: LoopProgram, instruction: Instruction): { names: string; values: string } {
  const sources = new Set(operandsOf(instruction).filter((value) => value < program.sources.length));
  const indices = new Set(indicesOf(instruction));
  return {
    names: `${[...[...sources].map(sourceName), ...[...indices].map(indexName)]}`,
    values: `${[...[...sources].map((n) => `S[${n}]`), ...[...indices].map((n) => `X[${n}]`)]}`,
  };
}

function indicesOf(instruction: Instruction): readonly number[] {
  const places = instruction.kind === "scatter" ? [instruction.place] : [];
  const accesses = [...places, ...bodiesOf(instruction).flatMap(({ body }) => body.reads)];
  return accesses.flatMap(({ indirections }) => indirections.map(({ index }) => index));
}
