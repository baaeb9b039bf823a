/** Programs with memory: their statements, views, and the graph that a run writes. */
export { expandProgram, namesAtEnd } from "./expand.ts";
export { type Compound, type Custom, type CustomPart, customPartsOf, plainOf } from "./plain.ts";
export {
  type Block,
  blocksOf,
  type Distribution,
  hasBreak,
  type Index,
  type Let,
  type Location,
  operatorsOfProgram,
  type Parameter,
  type ParameterKind,
  type Procedure,
  type Program,
  parameterKinds,
  pointerOfStatement,
  proceduresOf,
  type ResultName,
  type Statement,
  type StatementKind,
  type StatementOf,
  statementKinds,
  statementsIn,
  statementsOf,
  type Transform,
  type UpdateOperator,
  updates,
  walkStatements,
} from "./program.ts";
export { NameScope } from "./scope.ts";
export {
  isRowMajor,
  isWhole,
  knownNumber,
  positionsOf,
  seesTwice,
  shapeSeen,
  startsOf,
  transformed,
  type View,
  wholeView,
} from "./view.ts";
