/** Adds to what is counted under a name. A name that counts nothing is let go: callers choose them. */
export function addTo(counts: Map<string, number>, name: string, by: number): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
