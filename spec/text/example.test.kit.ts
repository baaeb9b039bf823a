import { readdirSync, readFileSync } from "node:fs";
import { type NodeId, nodeId, present } from "../shapes/index.ts";
import type { UnitsJson } from "../wire/index.ts";
import { readText, type TextDocument } from "./index.ts";

const folder = new URL("../../docs/examples/", import.meta.url);

/** A text of docs/examples, with its documents. Throws if the text has a mistake. */
function read(path: string): { readonly text: string; readonly documents: readonly TextDocument[] } {
  const text = readFileSync(new URL(path, folder), "utf8");
  const documents = readText(text);
  if (!documents.ok) throw new Error(`${path}: ${documents.error[0]?.message}`);
  return { text, documents: documents.value };
}

/** Reads the one document of a text of docs/examples. */
export function exampleOf(name: string): TextDocument {
  return present(read(`${name}.adj`).documents[0], `the document of ${name}`);
}

/** A physics-informed loss whose dimensions agree, or a twin of it in which two dimensions clash. */
export interface PhysicsLaw {
  /** Names law and variant: `heat/accepted`, `heat/missing_factor`. */
  readonly name: string;
  readonly units: UnitsJson;
  /** Two unequal dimensions, or scales, of a twin meet at this id; the two stand in either order. */
  readonly culprit?: { readonly id: NodeId; readonly sides: readonly string[] };
}

/** The text with formulas, which are no losses of networks. */
const FORMULAS = "formulas.adj";

/** Lists the laws of docs/examples/dimensions; a comment before each twin says where it is refused. */
export function physicsLaws(): readonly PhysicsLaw[] {
  return lawsOf(readdirSync(new URL("dimensions/", folder)).filter((file) => file !== FORMULAS));
}

/** Lists formulas whose dimensions and scales agree, and twins in which either clash. */
export function measuredFormulas(): readonly PhysicsLaw[] {
  return lawsOf([FORMULAS]);
}

function lawsOf(files: readonly string[]): readonly PhysicsLaw[] {
  return files.flatMap((file) => {
    const { text, documents } = read(`dimensions/${file}`);
    const refusals = new Map(
      [...text.matchAll(/^# refused at %(\d+): (\S+) and (\S+)\ngraph (\w+)/gm)].map(
        ([, id, left = "", right = "", twin]) => [twin, { id: nodeId(Number(id)), sides: [left, right] }],
      ),
    );
    return documents.map(({ name, json, units }) => {
      const culprit = refusals.get(name);
      return {
        name: `${file.replace(".adj", "")}/${name}`,
        units: JSON.parse(JSON.stringify({ ...units, graph: json })),
        ...(culprit === undefined ? {} : { culprit }),
      };
    });
  });
}
