/** Checks of programs: of a whole document, or of one statement after the other. */
export { checkProgram, readEntry, readLocation, readOutline, readProcedure } from "./check.ts";
export { checkCount, checkerOfSaid } from "./check_call.ts";
export { checkBlock, checkNext, checkPlace, checkRead } from "./check_statement.ts";
export { checkAlias } from "./check_view.ts";
export {
  bind,
  checkShape,
  type Known,
  knownOf,
  nameTwice,
  otherShape,
  readable,
  referenceTo,
  type Surroundings,
  unseenName,
} from "./known.ts";
