import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { instance } from "@viz-js/viz";

const root = fileURLToPath(new URL("..", import.meta.url));
const graphviz = await instance();

/** An import: what a door hands on by `export` is used by others, and not by the door. */
const IMPORT = /^import\b[^;"'`]*?"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)/gm;

/** The texts of some files, by their paths. */
export type Sources = ReadonlyMap<string, string>;

/** A room, the folders in it, and the rooms that it imports from. */
interface Room {
  readonly name: string;
  readonly folders: readonly string[];
  readonly imports: readonly string[];
}

/** Returns every file in a folder of the project whose name ends so, but for tests and what is installed. */
export function sourcesIn(folder: string, ending: string): Sources {
  const names = readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`).toSorted();
  const isSource = (path: string): boolean =>
    path.endsWith(ending) && !/node_modules|\.venv|\.lake|\.test\./.test(path);
  return new Map(
    paths.filter(isSource).map((path) => [path, readFileSync(`${root}/${path}`, "utf8")] as const),
  );
}

/** The names of the rooms: the keys of the table that the test of imports holds the project to. */
export function roomNames(): readonly string[] {
  const test = readFileSync(`${root}/tests/imports.test.ts`, "utf8");
  const [, table = ""] = /^const rooms\b[^{]*\{\n([\s\S]*?)^\}/m.exec(test) ?? [];
  return [...table.matchAll(/^ {2}"?([\w/-]+)"?: /gm)].map(([, name = ""]) => name);
}

/** Finds how the rooms import each other. A file belongs to the longest room that its path begins with. */
export function roomsOf(names: readonly string[], sources: Sources): readonly Room[] {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const roomOf = (path: string): string | undefined =>
    longestFirst.find((name) => path.startsWith(`${name}/`));
  const imports = new Map(names.map((name) => [name, new Set<string>()]));
  const folders = new Map(names.map((name) => [name, new Set<string>()]));
  for (const [path, text] of sources) {
    const room = roomOf(path) ?? "";
    const [folder, ...behind] = path.slice(room.length + 1).split("/");
    if (folder !== undefined && behind.length > 0) folders.get(room)?.add(folder);
    for (const [, fixed, dynamic = ""] of text.matchAll(IMPORT)) {
      const to = fixed ?? dynamic;
      const other = roomOf(posix.join(posix.dirname(path), to));
      if (other !== undefined && other !== room) imports.get(room)?.add(other);
    }
  }
  return names.map((name) => ({
    name,
    folders: [...(folders.get(name) ?? [])].toSorted(),
    imports: [...(imports.get(name) ?? [])],
  }));
}

/** Returns the arrows that are left when each is dropped that two or more others lead along as well. */
export function shortest(rooms: readonly Room[]): readonly (readonly [string, string])[] {
  const next = new Map(rooms.map(({ name, imports }) => [name, imports]));
  const reaches = (from: string, to: string): boolean => {
    const found = new Set([from]);
    for (const room of found) for (const other of next.get(room) ?? []) found.add(other);
    return found.has(to);
  };
  return rooms.flatMap(({ name, imports }) =>
    imports
      .filter((to) => !imports.some((through) => through !== to && reaches(through, to)))
      .map((to) => [name, to] as const),
  );
}

/** Returns the picture of the rooms as SVG: an arrow goes from a room to one that it imports. */
export function roomsPicture(): string {
  const names = roomNames().filter((name) => name !== "tests");
  const rooms = roomsOf(names, new Map(names.flatMap((name) => [...sourcesIn(name, ".ts")])));
  const picture = graphviz.renderString(
    {
      directed: true,
      graphAttributes: { bgcolor: "white", ranksep: 0.35, nodesep: 0.3 },
      nodeAttributes: {
        shape: "box",
        style: "rounded,filled",
        fillcolor: "#ddf4ff",
        fontname: "Helvetica,Arial,sans-serif",
        fontsize: 10,
        margin: "0.35,0.08",
      },
      edgeAttributes: { color: "#57606a" },
      nodes: rooms.map((room) => ({ name: room.name, attributes: { label: labelOf(room) } })),
      edges: shortest(rooms).map(([tail, head]) => ({ tail, head })),
    },
    { format: "svg" },
  );
  const style = "<style>.node text:first-of-type { font-size: 13px; font-weight: bold }</style>";
  return picture.replaceAll(/<!--[\s\S]*?-->\n/g, "").replace(/(?=<g id="graph0")/, `${style}\n`);
}

/** The name of a room, and below it the names of its folders, four to a line. */
function labelOf({ name, folders }: Room): string {
  const lines = Map.groupBy(folders, (folder) => Math.floor(folders.indexOf(folder) / 4));
  return [name, ...[...lines.values()].map((line) => line.join(", "))].join("\n");
}
