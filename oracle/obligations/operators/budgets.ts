/** Steps of Z3 for one question about an operator: ten times what the most expensive takes, a solve of order 2. */
export const BUDGET: number = 500_000;
