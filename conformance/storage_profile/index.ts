/** The points that a framework must hold which stores tensors as codes, asked line by line. */
export { buildFramework, type FrameworkSource } from "./build.ts";
export type { StorageFramework, StorageKind } from "./framework.ts";
export type { Drawing, Finding, LawOutcome } from "./law.ts";
export { startFramework } from "./process_framework.ts";
export { judgeStorage, type Point, type PointOutcome, storagePoints } from "./profile.ts";
