/** A graph's values are assigned storage formats under which results keep the digits that are asked for. */
export { accumulatorOf } from "./accumulators.ts";
export { type Box, boxOf, boxRound, type GivenRanges, givenRanges, rangesOfBox } from "./box.ts";
export { type FormatsAsked, representationsOf } from "./representations.ts";
export { statisticsOf } from "./statistics.ts";
export { type StorageFormat, storageFormats } from "./storage_formats.ts";
export { bundledTargets, checkTarget, type Target } from "./target.ts";
