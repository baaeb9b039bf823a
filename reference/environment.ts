import { InvariantError, type Shape } from "../spec/shapes/index.ts";
import { map, type Tensor } from "./tensor.ts";

/** An entry of Δ: scalars of the carrier, or indices. */
export type EnvironmentValue<S> =
  | { readonly kind: "real"; readonly tensor: Tensor<S> }
  | { readonly kind: "index"; readonly shape: Shape; readonly indices: readonly number[] };

/** Δ: data by name that is never differentiated. */
export type Environment<S> = ReadonlyMap<string, EnvironmentValue<S>>;

/** The scalars under `name`. Throws {@link InvariantError} if the entry is missing or holds indices. */
export function realEntry<S>(environment: Environment<S>, name: string): Tensor<S> {
  const value = environment.get(name);
  if (value?.kind !== "real") throw new InvariantError(`no real entry ${name} in the environment`);
  return value.tensor;
}

/** Returns the indices under `name`. Throws {@link InvariantError} if there are none, or scalars. */
export function indexEntry<S>(environment: Environment<S>, name: string): readonly number[] {
  return shapedIndexEntry(environment, name).indices;
}

/** Returns the indices under `name`, with their shape. Throws as {@link indexEntry} does. */
export function shapedIndexEntry<S>(
  environment: Environment<S>,
  name: string,
): { readonly shape: Shape; readonly indices: readonly number[] } {
  const value = environment.get(name);
  if (value?.kind !== "index") throw new InvariantError(`no index entry ${name} in the environment`);
  return value;
}

/** Maps an environment to another carrier. */
export function mapEnvironment<S, T>(environment: Environment<S>, f: (scalar: S) => T): Environment<T> {
  return new Map(
    [...environment].map(([name, value]): [string, EnvironmentValue<T>] => [
      name,
      value.kind === "real" ? { kind: "real", tensor: map(value.tensor, f) } : value,
    ]),
  );
}
