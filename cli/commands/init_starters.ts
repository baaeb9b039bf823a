/** A starter is an adapter that runs, to be changed into one's own; it has what a kit has beside it. */
interface Starter {
  /** The folder of the adapter's own files. */
  readonly template: string;
  /** The kit: the files of a folder with such names, and the folder that they go to. */
  readonly kit: { readonly from: string; readonly names: RegExp; readonly to: string };
  /** This command installs or builds what is needed, in the new folder. */
  readonly prepare: string;
  /** This command starts the adapter there. */
  readonly command: string;
}

/** The languages, as `--lang` has them. */
export const languages = ["python", "javascript", "rust", "go", "cpp", "java"] as const;
export type Language = (typeof languages)[number];

export const starters: Readonly<Record<Language, Starter>> = {
  python: {
    template: "kits/python/template",
    kit: { from: "python/src/adjudge", names: /^(?:__init__|kit\/\w+)\.py$/, to: "adjudge" },
    prepare: "python3 -m pip install numpy",
    command: "python3 adapter.py",
  },
  javascript: {
    template: "kits/javascript/template",
    // The kit is the package itself.
    kit: { from: "kits/javascript", names: /^$/, to: "." },
    prepare: "npm install adjudge",
    command: "node adapter.mjs",
  },
  rust: {
    template: "kits/rust/template",
    kit: { from: "kits/rust", names: /^(?:Cargo\.toml|src\/\w+\.rs)$/, to: "kit" },
    prepare: "cargo build --release",
    command: "target/release/adapter",
  },
  go: {
    template: "kits/go/template",
    kit: { from: "kits/go", names: /^(?:go\.mod|\w+(?<!_test)\.go)$/, to: "kit" },
    prepare: "go build -o target/ .",
    command: "target/adapter",
  },
  cpp: {
    template: "kits/cpp/template",
    kit: { from: "kits/cpp", names: /^adjudge\.hpp$/, to: "." },
    prepare: "mkdir -p target && c++ -std=c++17 -O2 adapter.cpp -o target/adapter",
    command: "target/adapter",
  },
  java: {
    template: "kits/java/template",
    kit: { from: "kits/java", names: /^Kit\.java$/, to: "." },
    prepare: "javac -encoding UTF-8 -d target Adapter.java Kit.java",
    command: "java -cp target Adapter",
  },
};

/** Returns the settings of a new project: its engine, and where its known failures are. */
export function settingsFor(language: Language): object {
  return { engines: { mine: starters[language].command }, known: "adjudge.known.json", cases: 300 };
}

/** A project knows of no failure at first. */
export const noFailures: object = { format: "adjudge.known.v1", failures: [] };

/**
 * Returns a job of GitHub's for an adapter in a folder of its repository, asked by adjudge of that version.
 */
export function jobFor(language: Language, folder: string, version: string): string {
  const { prepare, command } = starters[language];
  const asked = language === "javascript" ? "npx adjudge" : `npx --yes adjudge@${version}`;
  return `# A fault that adjudge.known.json does not list fails this job.
name: adjudge
on:
  push:
  pull_request:
jobs:
  judge:
    runs-on: ubuntu-latest
    defaults:
      run:
        working-directory: ${JSON.stringify(folder)}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: "24"
      - run: ${prepare}
      - run: ${asked} smoke -- ${command}
      - run: ${asked} judge --report adjudge.html
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: adjudge
          path: ${JSON.stringify(folder === "." ? "adjudge.html" : `${folder}/adjudge.html`)}
`;
}
