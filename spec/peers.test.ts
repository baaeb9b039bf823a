import { readFileSync } from "node:fs";
import semver from "semver";
import { expect, test } from "vitest";
import { howToInstall, missingPeers, peers } from "./peers.ts";

const read = (name: string): ReturnType<typeof JSON.parse> =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
const packageJson = read("package.json");

test.each(
  Object.entries(peers),
)("%s is an optional peer, and the version that is named is ours", (peer, version) => {
  expect(semver.satisfies(version, packageJson.peerDependencies[peer])).toBe(true);
  expect(packageJson.peerDependenciesMeta[peer]).toEqual({ optional: true });
  expect(packageJson.devDependencies[peer]).toBe(version);
  expect(packageJson.dependencies).not.toHaveProperty(peer);
});

test("a peer that is missing is an issue that says how to get it, and one that is there is none", () => {
  expect(missingPeers(["z3-solver", "binaryen"])).toEqual([]);
  expect(missingPeers(["z3-solver", "binaryen"], (name) => name !== "z3-solver")).toEqual([
    expect.objectContaining({ code: "package/missing", hint: howToInstall("z3-solver") }),
  ]);
});

test("a package that the bundle for Python lacks is installed into it, in the version of ours", () => {
  expect(howToInstall("@viz-js/viz")).toBe(
    `npm install @viz-js/viz@${packageJson.dependencies["@viz-js/viz"]}`,
  );
  const from = "file:///opt/my%20env/adjudge/_bundle/dist/spec/peers.js";
  expect(howToInstall("binaryen", from)).toBe(
    `npm install --prefix "/opt/my env/adjudge/_bundle" binaryen@${peers.binaryen}`,
  );
  expect(howToInstall("binaryen", "file:///C:/env/_bundle/dist/spec/peers.js")).toContain(`"C:/env/_bundle"`);
});

test("what is not optional is installed without what is for development, as the action for CI does it", () => {
  const { packages } = read("package-lock.json");
  const { dependencies, peerDependencies, peerDependenciesMeta } = packageJson;
  const needed = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => peerDependenciesMeta[name]?.optional !== true,
  );
  expect(needed).toContain("fast-check");
  for (const name of needed) {
    expect(
      semver.satisfies(
        packages[`node_modules/${name}`].version,
        { ...dependencies, ...peerDependencies }[name],
      ),
    ).toBe(true);
    expect(packages[`node_modules/${name}`]).not.toHaveProperty("dev");
  }
});
