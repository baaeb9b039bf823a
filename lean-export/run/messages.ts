/** Something that Lean said about a file. The text is as much the file's as Lean's, so it is not believed. */
export interface LeanMessage {
  readonly severity: "error" | "warning" | "information";
  readonly file: string;
  /** Lines count from 1. */
  readonly line: number;
  /** From 0, in characters. */
  readonly column: number;
  readonly text: string;
}

/** Lean wrote messages, and lines that are none (a program printed them). */
export interface LeanOutput {
  readonly messages: readonly LeanMessage[];
  readonly rest: readonly string[];
}

/**
 * Reads what `lean --json` writes, one message a line, and the plain form `file:line:column: severity: text`,
 * whose text goes on until the next message. Total: what is neither is among the rest.
 */
export function readMessages(output: string): LeanOutput {
  const messages: LeanMessage[] = [];
  const rest: string[] = [];
  let plain: LeanMessage | undefined;
  for (const line of output.split(/\r?\n/)) {
    const json = readJson(line);
    const begun = json ?? readPlain(line);
    if (begun === undefined && plain !== undefined && line !== "") {
      plain = { ...plain, text: `${plain.text}\n${line}` };
      messages[messages.length - 1] = plain;
    } else if (begun !== undefined) {
      messages.push(begun);
      plain = json === undefined ? begun : undefined;
    } else if (line !== "") rest.push(line);
  }
  return { messages, rest };
}

/**
 * Leaves out what the WebAssembly build writes to standard error of every file that it accepts: lines of its
 * progress, and hundreds of panics of an index out of bounds.
 */
export function dropDebugLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => !usual.test(line))
    .join("\n");
}

const usual =
  /^\s*\[DEBUG|^ {2}(- \/|mainModule\? =)|^PANIC at outOfBounds Init\.GetElem:\d+:\d+: index out of bounds\r?$/;

function readJson(line: string): LeanMessage | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return readMessage(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Returns a message as `--json` has it; `undefined` for anything else. */
export function readMessage(value: unknown): LeanMessage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { severity, fileName, pos, data } = { severity: "", fileName: "", pos: {}, data: "", ...value };
  if (!isSeverity(severity) || typeof data !== "string") return undefined;
  const { line: row, column } = { line: 0, column: 0, ...(pos ?? {}) };
  const file = typeof fileName === "string" ? fileName : "";
  return { severity, file, line: Number(row) || 0, column: Number(column) || 0, text: data };
}

function readPlain(line: string): LeanMessage | undefined {
  const match = /^(.+?):(\d+):(\d+): (error|warning|info|information)(?:\([\w.]+\))?: (.*)$/.exec(line);
  if (match === null) return undefined;
  const [, file = "", row, column, word = "", text = ""] = match;
  const severity = word === "info" ? "information" : word;
  if (!isSeverity(severity)) return undefined;
  return { severity, file, line: Number(row), column: Number(column), text };
}

function isSeverity(word: unknown): word is LeanMessage["severity"] {
  return word === "error" || word === "warning" || word === "information";
}

/** Returns `file:line:column: severity: text`, as Lean itself writes it. */
export function formatMessage({ file, line, column, severity, text }: LeanMessage): string {
  return `${file}:${line}:${column}: ${severity}: ${text}`;
}
