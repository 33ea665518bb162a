import { nondeterminism } from './machine.js';

interface Compared {
  field: string;
  recorded: string | null | undefined;
  commanded: string | null | undefined;
}

/** A replayed command is the one that the history has. */
export function expectSame(thing: string, { field, recorded, commanded }: Compared): void {
  if ((recorded ?? '') === (commanded ?? '')) return;
  const lower = field.charAt(0).toLowerCase() + field.slice(1);
  throw nondeterminism(
    `${field} of scheduled event '${recorded ?? ''}' does not match ${lower} of ${thing} command '${commanded ?? ''}'`,
  );
}
