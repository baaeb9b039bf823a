import { execFileSync } from "node:child_process";
import process from "node:process";
import { medianOf } from "./samples.ts";

/** Importing a module takes this many milliseconds in a fresh process, without the process's own start. */
export interface ImportTime {
  readonly module: string;
  readonly least: number;
  readonly median: number;
}

const script = `
const start = performance.now();
await import(process.argv[1]);
process.stdout.write(String(performance.now() - start) + "\\n");
process.exit(0);
`;

/** Times modules in turn, `rounds` processes each; one that cannot be imported is left out and told. */
export function importTimes(
  modules: readonly string[],
  rounds: number,
  progress: (message: string) => void,
): ImportTime[] {
  const found = new Map<string, number[]>(modules.map((module) => [module, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [module, times] of [...found]) {
      try {
        const said = execFileSync(process.execPath, ["--input-type=module", "-e", script, module], {
          encoding: "utf8",
          cwd: import.meta.dirname,
          stdio: ["ignore", "pipe", "pipe"],
        });
        times.push(Number(said.trim().split("\n").at(-1)));
      } catch (problem) {
        const lines = problem instanceof Error ? problem.message.split("\n") : [];
        const reason = lines.find((line) => /Error( \[\w+\])?: /.test(line)) ?? "it fails";
        progress(`${module} cannot be imported; \`npm run build\` makes adjudge's own: ${reason}`);
        found.delete(module);
      }
    }
  }
  return [...found].map(([module, times]) => ({
    module,
    least: Math.min(...times),
    median: medianOf(times),
  }));
}
