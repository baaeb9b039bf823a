import { createColors } from "picocolors";
import type { ExitCode } from "./exit.ts";
import { main } from "./main.ts";

/** What a command wrote and how it ended. */
export interface Recorded {
  readonly code: ExitCode;
  readonly out: string;
  readonly notes: string;
}

/** Runs `adjudge` in this process on a terminal without colours that nobody watches. */
export async function adjudge(...argv: readonly string[]): Promise<Recorded> {
  const out: string[] = [];
  const notes: string[] = [];
  const code = await main(argv, {
    palette: createColors(false),
    out: (line) => out.push(line),
    note: (line) => notes.push(line),
    progress: () => {},
  });
  return { code, out: out.join("\n"), notes: notes.join("\n") };
}
