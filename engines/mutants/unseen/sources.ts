/** The source of a fault of a wrapper around the interpreter that 5,000 random cases and the suite passed. */
export const survivor = "a wrapper that every search let pass";
