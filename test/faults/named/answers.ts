/** One thing that `doctor` or `explain` says. */
export interface Answer {
  /** What is wrong. */
  says: string;
  /** What to do. */
  todo: string;
}

/** Asks `doctor` or `explain` while a fault is there. */
export type Ask = () => Promise<Answer[]>;

/** Makes a fault, calls `meanwhile` while it is there, and clears it away. */
export type Seed = (meanwhile: (ask: Ask) => Promise<void>) => Promise<void>;

/** The error that a command prints on stderr. */
export function problemIn(stderr: string): Answer {
  const [, says = ''] = /^Error: (.*)$/m.exec(stderr) ?? [];
  const [, todo = ''] = /^ +what to do +(.*)$/m.exec(stderr) ?? [];
  return { says, todo };
}
