import type { Issue } from "./shapes/index.ts";

/**
 * Packages that few need and that are large, with the versions that adjudge is tested with. They are optional
 * peers: whoever needs one installs it beside adjudge.
 */
export const peers = {
  binaryen: "132.0.0",
  bullmq: "6.7.0",
  ioredis: "6.0.0",
  koffi: "3.3.4",
  "z3-solver": "5.2.0",
} as const;

export type Peer = keyof typeof peers;

/** What draws graphs comes with the package of npm, and not with that of Python. */
type Packaged = Peer | "@viz-js/viz";

const versions: Readonly<Record<Packaged, string>> = { ...peers, "@viz-js/viz": "3.31.0" };

/** Returns the command that installs a package where the module of this URL finds it. */
export function howToInstall(name: Packaged, from: string = import.meta.url): string {
  const [bundle] = /^file:.*\/_bundle(?=\/)/.exec(from) ?? [];
  const place = bundle === undefined ? [] : ["--prefix", JSON.stringify(pathOf(bundle))];
  return ["npm install", ...place, `${name}@${versions[name]}`].join(" ");
}

/** Returns the path of a file's URL; a drive of Windows has no slash before it. */
function pathOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
}

/** Says whether a package can be found from here. It is not loaded. */
export function isInstalled(packageName: string): boolean {
  try {
    import.meta.resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

/** Returns an issue for each peer that is not installed: `package/missing`. */
export function missingPeers(
  wanted: readonly Peer[],
  isThere: (packageName: string) => boolean = isInstalled,
): Issue[] {
  return wanted.filter((peer) => !isThere(peer)).map(missingPeer);
}

function missingPeer(peer: Peer): Issue {
  return {
    code: "package/missing",
    pointer: "",
    message: `${peer} is not installed, and this needs it.`,
    hint: howToInstall(peer),
  };
}

/** Says whether an error means that the package itself, not just a file of it, could not be found. */
export function isMissing(thrown: unknown, packageName: string): boolean {
  return (
    thrown instanceof Error &&
    "code" in thrown &&
    thrown.code === "ERR_MODULE_NOT_FOUND" &&
    thrown.message.includes(`'${packageName}'`)
  );
}
