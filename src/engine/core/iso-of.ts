/** A time in milliseconds since the epoch, in ISO 8601 and UTC. */
export function isoOf(time: number): string {
  return new Date(time).toISOString();
}
