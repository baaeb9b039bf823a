import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { candleManifest } from "../testees/index.ts";
import type { Ran } from "./running.ts";

/**
 * Runs scripts in Rust, each in its own process, compiled without a network as one program with the libraries
 * that were built for candle's adapter. Fails: where one does not compile, none runs.
 */
export function runRust(scripts: readonly string[]): Ran {
  const folder = mkdtempSync(join(tmpdir(), "asked-"));
  // The name is unique, since cargo's output lies beside the adapter's.
  const name = basename(folder).toLowerCase();
  const target = join(dirname(candleManifest()), "target");
  const cargo = (...words: readonly string[]) =>
    spawnSync("cargo", [...words, "--release", "--offline", "--quiet", "--target-dir", target], {
      cwd: folder,
      encoding: "utf8",
    });
  try {
    for (const [file, text] of projectOf(name, scripts)) writeFileSync(join(folder, file), text);
    const built = cargo("build");
    if (built.status !== 0) {
      const printed = `${built.stderr ?? ""}${built.error ?? ""}`;
      return { codes: scripts.map(() => -1), printed };
    }
    const ran = scripts.map((_, place) =>
      spawnSync(join(target, "release", name), [`${place}`], { encoding: "utf8", env: withoutTraces }),
    );
    return {
      codes: ran.map(({ status }) => status ?? -1),
      printed: ran.map(({ stdout }) => stdout ?? "").join(""),
    };
  } finally {
    cargo("clean", "--package", name);
    rmSync(folder, { recursive: true });
  }
}

/** Tells candle to print errors without a backtrace. */
const withoutTraces = { ...process.env, RUST_BACKTRACE: "0" };

/** Returns the files of a package with the adapter's dependencies, which runs the script of a given place. */
function projectOf(name: string, scripts: readonly string[]): [string, string][] {
  const manifest = candleManifest();
  const [, dependencies = ""] = readFileSync(manifest, "utf8").split(/^(?=\[dependencies\])/m);
  const lock = join(dirname(manifest), "Cargo.lock");
  const locked = existsSync(lock) ? [readFileSync(lock, "utf8")] : [];
  const modules = scripts.map(
    (_, place) => `mod script_${place} {
    include!("script_${place}.rs");

    pub fn run() -> ExitCode {
        main()
    }
}
`,
  );
  const arms = scripts.map((_, place) => `        Some("${place}") => script_${place}::run(),\n`);
  const main = `fn main() -> std::process::ExitCode {
    match std::env::args().nth(1).as_deref() {
${arms.join("")}        _ => std::process::ExitCode::from(2),
    }
}
`;
  return [
    ["Cargo.toml", manifestOf(name, dependencies)],
    ...locked.map((text): [string, string] => [
      "Cargo.lock",
      text.replace('name = "adjudge-candle"', `name = "${name}"`),
    ]),
    ["main.rs", [...modules, main].join("\n")],
    ...scripts.map((text, place): [string, string] => [`script_${place}.rs`, text]),
  ];
}

/** Returns the manifest: the adapter's dependencies, and a fast build since speed does not matter. */
function manifestOf(name: string, dependencies: string): string {
  return `[package]
name = "${name}"
version = "0.0.0"
edition = "2021"

[[bin]]
name = "${name}"
path = "main.rs"

[profile.release.package.${name}]
opt-level = 0

${dependencies}`;
}
