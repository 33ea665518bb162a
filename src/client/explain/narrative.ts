/** Writes a command that the reader can copy. */
export type Command = (...words: string[]) => string;

/** Sentences, and the next step. */
export interface Narrative {
  sentences: readonly string[];
  next: string;
}
