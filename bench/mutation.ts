/** One line of the engine, and a way to break it. */
export interface Mutation {
  name: string;
  file: string;
  line: string;
  broken: string;
  /** The server tests that notice it, as a jest pattern. Left out: the fault matrix. */
  tests?: string;
}
