/** What is known of a gradient before anything runs, in one tree, and the signatures of the modes. */
export { signaturesOf } from "./signature.ts";
export { type GradientsAsked, type GrownTrees, gradientTrees } from "./tree.ts";
