/** Steps of Z3 for one question about an operator: ten times what the most expensive takes, the remainder of a solve. */
export const BUDGET: number = 900_000;
