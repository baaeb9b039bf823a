import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { randomAt } from "../../../oracle/random/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { read } from "./model.test.kit.ts";
import { readMessage, writeMessage } from "./wire/message.ts";
import { modelProto } from "./wire/model.ts";

const examples = new URL("../../../docs/examples/models/", import.meta.url);
const models = readdirSync(examples)
  .filter((name) => name.endsWith(".onnx"))
  .map((name) => {
    const model = readMessage(modelProto, readFileSync(new URL(name, examples)));
    if ("wrong" in model) throw new Error(model.wrong);
    return model;
  });

const numbers = [-1, 0, 1, 2, 3, 7, 16, 33, 1000, 2 ** 20, 2 ** 27, 2 ** 31, 2 ** 53, -(2 ** 53), 2 ** 62];
const words = [
  "",
  "x",
  "y",
  "act",
  "constant",
  "Loop",
  "If",
  "Reshape",
  "Gather",
  "TopK",
  "Conv",
  "LSTM",
  "Einsum",
  "Pad",
  "Resize",
  "__proto__",
  "toString",
  "\u0000",
  "…",
];

/** Returns a copy of a tree in which about one leaf or list of so many is another. */
function mutated(tree: unknown, random: ReturnType<typeof randomAt>, every: number): unknown {
  const isHit = random.nextInt(1, every) === 1;
  const pick = <T>(all: readonly T[]): T | undefined => all[random.nextInt(0, all.length - 1)];
  if (tree instanceof Uint8Array) {
    if (!isHit) return tree;
    const bytes = Uint8Array.from(tree.subarray(0, random.nextInt(0, tree.length)));
    return bytes.map((byte) => (random.nextInt(0, 7) === 0 ? random.nextInt(0, 255) : byte));
  }
  if (Array.isArray(tree)) {
    const list = tree.map((one) => mutated(one, random, every));
    if (!isHit || list.length === 0) return list;
    const place = random.nextInt(0, list.length - 1);
    const kind = random.nextInt(0, 3);
    if (kind === 0) return list.toSpliced(place, 1);
    if (kind === 1) return [...list, list[place]];
    return kind === 2 ? list.toReversed() : [];
  }
  if (typeof tree === "object" && tree !== null)
    return Object.fromEntries(
      Object.entries(tree).map(([key, value]) => [key, mutated(value, random, every)]),
    );
  if (typeof tree === "number") return isHit ? pick(numbers) : tree;
  if (typeof tree === "string") return isHit ? pick(words) : tree;
  return tree;
}

test("a model with any number, name or list exchanged is read, or refused with a hint", () => {
  let [count, refused] = [0, 0];
  for (const seed of sampled(
    "hostile models",
    Array.from({ length: 2000 }, (_, i) => i),
    300,
  )) {
    const random = randomAt(seed, 1);
    const model = models[seed % models.length];
    const bytes = writeMessage(
      modelProto,
      Object.assign(Object.create(null), mutated(model, random, 5 + (seed % 90))),
    );
    const told = read(bytes, { extents: new Map([["batch", 2]]), wrt: seed % 2 === 0 ? "all" : [] });
    if (told.ok) expect(checkGraph(told.value.graph)).toMatchObject({ ok: true });
    else expect(told.error[0]?.hint).toMatch(/./);
    count++;
    if (!told.ok) refused++;
  }
  expect(refused).toBeGreaterThan(count / 10);
  expect(refused).toBeLessThan(count);
});
