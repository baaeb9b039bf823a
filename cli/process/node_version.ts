/** The oldest Node that adjudge and its adapters run on; `engines` in package.json says the same. */
export const oldestNode = "24.2.0";

/** Why adjudge cannot run under this version of Node, or `undefined`. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `adjudge needs Node ${oldestNode} or newer; this is ${version}. See https://nodejs.org/en/download`;
}
