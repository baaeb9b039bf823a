import type { Reply } from "../../../spec/contract/index.ts";
import { type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { type EagerLibrary, Unsupported } from "./library.ts";

/** Runs one request in the library's scope; an exception becomes the reply. */
export async function answerOf<T, A>(library: EagerLibrary<T>, body: () => Promise<A>): Promise<Reply<A>> {
  try {
    const value = await (library.scope === undefined ? body() : library.scope(body));
    return { kind: "result", value };
  } catch (thrown) {
    if (thrown instanceof Unsupported) return { kind: "unsupported", reason: thrown.message };
    return { kind: "error", message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Reads one after the other, because a library may not like two questions at once. */
export async function readAll<A>(
  items: readonly A[],
  read: (item: A, position: number) => FlatTensor | Promise<FlatTensor>,
): Promise<FlatTensor[]> {
  const flats: FlatTensor[] = [];
  for (const [position, item] of items.entries()) flats.push(await read(item, position));
  return flats;
}

/** Makes a tensor of one number. */
export function filled(shape: Shape, value: number): FlatTensor {
  return { shape, data: new Float64Array(sizeOf(shape)).fill(value) };
}
