/** Steps of Z3 for one question about an operator: ten times what the most expensive takes, the quotient’s remainder. */
export const BUDGET: number = 800_000;
