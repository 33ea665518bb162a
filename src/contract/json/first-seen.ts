class Seen extends Error {}

/**
 * The first thing that a visitor sees. It ends the visit, which has no other way to end: the rest of the text
 * may have millions more.
 */
export function firstSeen<T>(visit: (see: (thing: T) => void) => void): T | undefined {
  let first: T | undefined;
  try {
    visit((thing) => {
      first = thing;
      throw new Seen();
    });
  } catch (error) {
    if (!(error instanceof Seen)) throw error;
  }
  return first;
}
