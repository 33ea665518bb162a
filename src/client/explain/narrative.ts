/** How a command is written for the reader to copy. */
export type Command = (...words: string[]) => string;

/** Sentences, and the one thing to do now. */
export interface Narrative {
  sentences: readonly string[];
  next: string;
}
