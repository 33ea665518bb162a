/** `1 batch`, `2 batches`: the count with its noun. A plural other than with "s" is given. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
