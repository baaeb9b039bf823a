/** What an engine promises of operators in part: what lies beyond, and how a node is moved within. */
export { beyondLimits, type InPart, isInside, moved, nodeBeyond } from "./limits.ts";
