import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import type { WorkingTree } from "../../conformance/report/formats/index.ts";

/** Where a command runs: its folder, and what the environment says. */
export interface Where {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A configuration of adjudge is called so. */
const CONFIGURATION = "adjudge.config.json";

/**
 * Returns the working tree of Git that a folder is in, or the folder itself if it is in none: its files, and
 * the one to which belongs what is of no file, which is `location`, the workflow that runs, the configuration
 * or another workflow. Cost: `fileOf` asks the file system for each word.
 */
export function workingTree({ folder, env }: Where, location: string | undefined): WorkingTree {
  const root = rootOf(folder);
  const fileOf = (word: string): string | undefined => fileWithin(root, resolve(folder, word));
  const ofRoot = (path: string): string | undefined => fileWithin(root, join(root, path));
  const otherwise = ofRoot(workflowOf(env)) ?? ofRoot(CONFIGURATION) ?? workflowsIn(root)[0] ?? CONFIGURATION;
  return {
    fileOf,
    otherwise,
    ...(location === undefined ? {} : { location: fileOf(location) ?? location }),
  };
}

/** Returns the working tree of the folder in which this process runs. */
export function treeHere(location: string | undefined): WorkingTree {
  return workingTree({ folder: process.cwd(), env: process.env }, location);
}

function rootOf(folder: string): string {
  let root = realpathSync(folder);
  while (!existsSync(join(root, ".git"))) {
    const above = dirname(root);
    if (above === root) return realpathSync(folder);
    root = above;
  }
  return root;
}

/**
 * Returns a file's path from the root. A link is followed, because GitHub shows nothing at one; what is
 * installed or lies outside is no file of the tree.
 */
function fileWithin(root: string, path: string): string | undefined {
  try {
    const real = realpathSync(path);
    const within = relative(root, real);
    const isOutside = within.startsWith("..") || isAbsolute(within);
    if (isOutside || !statSync(real).isFile()) return undefined;
    const parts = within.split(sep);
    return parts.includes("node_modules") || parts.includes(".git") ? undefined : parts.join("/");
  } catch {
    return undefined;
  }
}

/** Returns the path in `GITHUB_WORKFLOW_REF`: `owner/name/.github/workflows/ci.yml@refs/heads/main`. */
function workflowOf({ GITHUB_WORKFLOW_REF = "" }: Where["env"]): string {
  return /\/(\.github\/workflows\/[^@]+)@/.exec(GITHUB_WORKFLOW_REF)?.[1] ?? "";
}

function workflowsIn(root: string): string[] {
  try {
    const names = readdirSync(join(root, ".github", "workflows"));
    return names
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => `.github/workflows/${name}`)
      .toSorted();
  } catch {
    return [];
  }
}
