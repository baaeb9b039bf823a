/**
 * The testee's side of the protocol, for adapters in JavaScript or TypeScript: {@link eagerEngine} makes an
 * engine of a library, and {@link serve} answers the runner with it.
 */
export * from "./kit/arities.ts";
export * from "./kit/eager.ts";
export * from "./kit/library.ts";
export * from "./kit/serve.ts";
