/** How tightly an infix operator binds; as in Python. */
export const binding: Readonly<Record<string, number>> = {
  "<": 1,
  "<=": 1,
  ">": 1,
  ">=": 1,
  "==": 1,
  "!=": 1,
  "+": 2,
  "-": 2,
  "*": 3,
  "/": 3,
  "@": 3,
  "**": 5,
};
