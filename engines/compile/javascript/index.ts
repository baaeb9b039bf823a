export { buildAs, javascript } from "./backend.ts";
// C is written of the same nests and bodies.
export { writeBody } from "./emit/body.ts";
// Whoever proves where a program reads and writes enters here.
export { type Loop, type Nest, type Place, part, reverse, simplify } from "./loops/nest.ts";
export { type Copy, copiesOf, shifted, tile } from "./loops/tiles.ts";
