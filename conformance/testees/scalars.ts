import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import type { Command } from "../runner/index.ts";
import { packageRoot } from "./package_root.ts";

/** A library of scalars that a kit of `kits/` asks. Its adapter is built into a folder that git ignores. */
interface ScalarLibrary {
  readonly name: string;
  readonly summary: string;
  /** Returns the command that builds the adapter in its folder. What it downloads is of one version. */
  setUp(folder: string): string;
  /** The path in the folder that is there when it is built. */
  readonly built: string;
  /** Returns how the built adapter is run. */
  run(built: string): Command["argv"];
}

const libraries: readonly ScalarLibrary[] = [
  {
    name: "num_dual",
    summary: "num-dual's dual numbers, in Rust",
    setUp: (folder) => `cargo build --release --manifest-path ${folder}/Cargo.toml`,
    built: "target/release/adjudge-num-dual",
    run: (built) => [built],
  },
  {
    name: "gonum",
    summary: "gonum's dual numbers, in Go",
    setUp: (folder) => `go build -C ${folder} -o target/ .`,
    built: "target/gonum",
    run: (built) => [built],
  },
  {
    name: "cppad",
    summary: "CppAD's tape of scalars, in C++",
    setUp: (folder) => `sh ${folder}/set_up.sh`,
    built: "target/adjudge-cppad",
    run: (built) => [built],
  },
  {
    name: "commons_math",
    summary: "Commons Math's DerivativeStructure, in Java",
    setUp: (folder) => `sh ${folder}/set_up.sh`,
    built: "target/classes",
    run: (built) => ["java", "-cp", `${built}${delimiter}${built}/../commons-math3-3.6.1.jar`, "Adapter"],
  },
];

/** A library of scalars with the command of its built adapter, or with the one that builds it. */
export interface ScalarTestee extends Pick<ScalarLibrary, "name" | "summary"> {
  readonly setUp: string;
  /** Returns how its adapter is run, if it is built. */
  command(): Command | undefined;
}

/** Lists the libraries of scalars that adjudge has adapters for, by the names of their folders. */
export const scalarTestees: readonly ScalarTestee[] = libraries.map(
  ({ name, summary, setUp, built, run }) => {
    const folder = join(packageRoot(), "conformance", "testees", name);
    const found = (): string | undefined =>
      [join(folder, built), join(folder, `${built}.exe`)].find((path) => existsSync(path));
    return {
      name: name.replaceAll("_", "-"),
      summary,
      setUp: setUp(folder),
      command: () => {
        const path = found();
        return path === undefined ? undefined : { argv: run(path) };
      },
    };
  },
);

// `node conformance/testees/scalars.ts` builds all adapters whose toolchains are there, and says what is not.
if (import.meta.main) {
  for (const { name, setUp } of scalarTestees) {
    process.stdout.write(`${name}: ${setUp}\n`);
    const { status } = spawnSync("sh", ["-c", setUp], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 300_000,
    });
    process.stdout.write(status === 0 ? "  is built\n" : "  is not built, and its tests will be skipped\n");
  }
}
