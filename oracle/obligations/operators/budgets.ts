/** Z3 gets ten times the steps of the most expensive question about an operator, the remainder of a solve. */
export const BUDGET: number = 900_000;
