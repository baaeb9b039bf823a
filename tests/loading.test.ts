import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Node loads this first: at its end the process tells the files that it loaded, as its last line. */
const hooks = `import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({ load: (url, context, next) => { loaded.add(url); return next(url, context); } });
  process.on("exit", () => console.log("\\n" + JSON.stringify([...loaded])));`;

/** Runs Node with these words, and returns what is loaded: files of the project, and of packages. */
function loadedBy(...argv: readonly string[]): {
  readonly own: readonly string[];
  readonly packages: readonly string[];
} {
  const told = ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`, ...argv];
  const { status, stdout } = spawnSync(process.execPath, told, { cwd: root, encoding: "utf8" });
  expect(status).toBe(0);
  const urls: readonly string[] = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  const files = urls.filter((url) => url.startsWith("file:"));
  const isOfPackage = (url: string): boolean => url.includes("/node_modules/");
  return {
    own: files.filter((url) => !isOfPackage(url)).map((url) => url.slice(pathToFileURL(root).href.length)),
    packages: files.filter(isOfPackage),
  };
}

/** Time is what a user pays, but it differs from run to run; files and packages are what it is paid for. */
describe("what is loaded", () => {
  test.each(["--version", "-V"])("for %s is no command, and nothing heavy", (flag) => {
    const { own, packages } = loadedBy("cli/adjudge.ts", flag);
    expect(own.filter((path) => !/^(cli\/(adjudge|process\/|terminal\/)|spec\/shapes\/)/.test(path))).toEqual(
      [],
    );
    expect(own.length).toBeGreaterThan(5);
    expect(own.length + packages.length).toBeLessThan(50);
  });

  test("for a command is that command alone", () => {
    const { own } = loadedBy("cli/adjudge.ts", "check", "docs/examples/square.adj");
    expect(own.filter((path) => path.startsWith("cli/commands/"))).toEqual(["cli/commands/check.ts"]);
  });

  test.each([
    { door: "engines/compile/browser.ts", own: 190, packages: 0 },
    { door: "spec/index.ts", own: 170, packages: 95 },
    { door: "conformance/testing/index.ts", own: 290, packages: 110 },
  ])("by $door is at most $own files, and $packages of packages", ({ door, ...most }) => {
    const { own, packages } = loadedBy("-e", `import("./${door}")`);
    expect(own).toContain(door);
    expect(own.length).toBeLessThanOrEqual(most.own);
    expect(packages.length).toBeLessThanOrEqual(most.packages);
  });
});
