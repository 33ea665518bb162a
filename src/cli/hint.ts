/** A command to copy, with the options that lead to the same server. */
export type Hint = (...words: string[]) => string;
