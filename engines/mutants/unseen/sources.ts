/** The source of a fault that a wrapper round the interpreter had, and that passed 5,000 random cases and the suite. */
export const survivor = "a wrapper that every search let pass";
