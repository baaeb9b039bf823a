export { buildAs, javascript } from "./backend.ts";
// Whoever proves where a program reads and writes enters here.
export { type Nest, part, reverse, simplify } from "./loops/nest.ts";
