/** A fault that an operator meets, and what has to be said about it. */
export interface NamedFault {
  /** As docs/operate.md lists it. */
  fault: string;
  askedOf: 'doctor' | 'explain';
  /** What is wrong and why, as a person reads it. */
  cause: RegExp;
  /** The next action, where the answer says what to do. */
  cure: RegExp;
  /** The cure as docs/operate.md says it. */
  listed: string;
}
