import { type Command, InvalidArgumentError } from "commander";
import { isOperatorName, type OperatorName, operatorNames } from "../../spec/composites/index.ts";
import { MAXIMUM_ORDER } from "../../spec/derivatives/index.ts";
import { type Budget, defaultBudget } from "../../spec/expansion/index.ts";
import type { StatementKind } from "../../spec/programs/index.ts";
import { formatIssue, type Issue, nearestName, visible } from "../../spec/shapes/index.ts";
import { type DataType, dataTypes, type Shard } from "../../spec/wire/index.ts";
import { isFramed } from "../files/documents.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Gathers the values of an option that may be repeated. */
export function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}

/** Reads a whole number from 0 on. */
export function naturalNumber(text: string): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`);
  }
  return value;
}

/** Reads the order of a derivative. */
export function orderNumber(text: string): number {
  const value = naturalNumber(text);
  if (value < 1 || value > MAXIMUM_ORDER) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAXIMUM_ORDER}.`);
  }
  return value;
}

/** Reads a number that is not negative. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && Number.isFinite(value))) {
    throw new InvalidArgumentError("It must be a number, 0 or more.");
  }
  return value;
}

/** Reads a part of several, such as `2/4`. */
export function shardOption(text: string): Shard {
  const [, index = "", count = ""] = /^([0-9]+)\/([0-9]+)$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (index === "" || shard.index < 1 || shard.index > shard.count || shard.count > MAXIMUM_PARTS) {
    throw new InvalidArgumentError(
      `It must be a part of so many, such as 2/4, of at most ${MAXIMUM_PARTS} in all.`,
    );
  }
  return shard;
}

/** Nobody has machines for more parts than these. */
const MAXIMUM_PARTS = 100_000;

/** The options of a {@link Budget}. */
export interface BudgetFlags {
  readonly maxElements: number;
  readonly maxWork: number;
}

/** Adds the options that raise or lower what an evaluation may take. */
export function withBudget(command: Command): Command {
  const { elements, work } = defaultBudget;
  return command
    .option(
      "--max-elements <number>",
      "evaluate no graph whose values have more elements in all",
      naturalNumber,
      elements,
    )
    .option(
      "--max-work <number>",
      "evaluate no graph that takes more operations on numbers",
      naturalNumber,
      work,
    );
}

/** Returns the budget that the options give. */
export function budgetOf({ maxElements, maxWork }: BudgetFlags): Budget {
  return { elements: maxElements, work: maxWork };
}

/** Reads a precision. */
export function dtypeOption(text: string, earlier: readonly DataType[]): DataType[] {
  const dtype = dataTypes.find((name) => name === text);
  if (dtype === undefined) throw new InvalidArgumentError(`It must be one of ${dataTypes.join(", ")}.`);
  return [...earlier, dtype];
}

/** Reads the name of an operator. */
export function operatorOption(text: string, earlier: readonly OperatorName[]): OperatorName[] {
  if (isOperatorName(text)) return [...earlier, text];
  const near = nearestName(text, operatorNames);
  throw new InvalidArgumentError(
    near === undefined
      ? "There is no such operator; judge --list operators names all."
      : `There is no such operator; did you mean ${near}?`,
  );
}

/** The options that were given on the command line, by their long names. */
export function givenFlags(command: Command): string[] {
  return command.options.flatMap((option) =>
    command.getOptionValueSource(option.attributeName()) === "cli" ? [option.long ?? ""] : [],
  );
}

/** Returns an issue for each flag about random cases that is given although the cases are from files. */
export function misplacedFlags(command: Command, flags: readonly string[]): Issue[] {
  const given = givenFlags(command).filter((flag) => flags.includes(flag));
  return given.map((flag) => ({
    code: "flag/inapplicable",
    pointer: "",
    message: `${flag} is for random cases, and these are from files.`,
    hint: `leave ${flag} out: every case of the files is asked, against all laws; or leave the files out`,
  }));
}

/** Returns an issue for each of these flags that is given although it does not go with another. */
export function excludedFlags(command: Command, other: string, flags: readonly string[]): Issue[] {
  const given = givenFlags(command).filter((flag) => flags.includes(flag));
  return given.map((flag) => ({
    code: "flag/inapplicable",
    pointer: "",
    message: `${flag} does not go with ${other}.`,
    hint: `leave ${flag} or ${other} out`,
  }));
}

/** More directions than this are no estimate any more. */
export const MOST_DIRECTIONS = 1_000_000;

/** So many seeds are asked unless somebody says otherwise. */
export const usualSamples = 4096;

/** Fewer have no mean to speak of. */
const FEWEST_SAMPLES = 16;

/** Reads how many seeds are asked. */
export function sampleCount(text: string): number {
  const value = naturalNumber(text);
  if (value < FEWEST_SAMPLES || value > MOST_DIRECTIONS)
    throw new InvalidArgumentError(`It must be a whole number from ${FEWEST_SAMPLES} to ${MOST_DIRECTIONS}.`);
  return value;
}

/** The statements that random programs do without where they are told to. */
export const leftOut: readonly StatementKind[] = ["no_grad", "checkpoint", "detach", "retain"];

/** Reads a list of {@link leftOut}. */
export function statementsOption(text: string): StatementKind[] {
  return text.split(",").map((word) => {
    const kind = leftOut.find((name) => name === word);
    if (kind === undefined) throw new InvalidArgumentError(`It must be of ${leftOut.join(", ")}.`);
    return kind;
  });
}

/** Tells what is wrong with an input. */
export function report(terminal: Terminal, issues: readonly Issue[]): void {
  for (const issue of issues) terminal.note(`${terminal.palette.red("✗")} ${showIssue(issue)}`);
}

/**
 * Shows an issue on one line, or in the frame of its place in a text. Most issues of the command line name no
 * place in a document.
 */
export function showIssue(issue: Issue): string {
  if (isFramed(issue)) return issue.frame.join("\n");
  if (issue.pointer !== "") return formatIssue(issue);
  return visible(`${issue.code}: ${issue.message} Hint: ${issue.hint}`);
}

/** Reads a part of a whole. */
export function shareOption(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be more than 0, and 1 at most.");
}

/** A sum over more calls needs more bits than any format has. */
const MOST_CALLS = 2 ** 20;

/** Reads how many calls are summed. */
export function callCount(text: string): number {
  const value = naturalNumber(text);
  if (value >= 1 && value <= MOST_CALLS) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_CALLS}.`);
}
