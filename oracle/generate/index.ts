export { caseArbitrary } from "./arbitrary.ts";
export { campaign, caseAt } from "./campaign.ts";
export { type Census, census, type StructureName, structureNames, structuresIn } from "./census.ts";
export { type CoveringOrder, coveringOrder, type Sketch } from "./cover.ts";
export { drawingNamed, drawings, drawnAt, mix, namesOfDrawings, profileIn, sharesOf } from "./drawing.ts";
export { profileOfCase, searchedCase } from "./mix.ts";
export * from "./profile.ts";
