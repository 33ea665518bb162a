/**
 * Writes many whole numbers as a short text and keeps their order: `1-500 502 507-510`.
 */
export function toRanges(numbers: Iterable<number>): string {
  const parts: string[] = [];
  let first: number | undefined;
  let last = 0;
  const close = (): void => {
    if (first !== undefined) parts.push(first === last ? String(first) : `${first}-${last}`);
  };
  for (const number of numbers) {
    if (first === undefined || number !== last + 1) {
      close();
      first = number;
    }
    last = number;
  }
  close();
  return parts.join(' ');
}

/** The numbers of a text of `toRanges`, in order. */
export function* fromRanges(text: string): Generator<number, undefined> {
  for (const part of text.split(' ')) {
    if (part === '') continue;
    const [first = '', last = first] = part.split('-');
    for (let number = Number(first); number <= Number(last); number++) yield number;
  }
}

/** The numbers of the first text that are not in the second. */
export function withoutRanges(text: string, others: string): string {
  const gone = new Set(fromRanges(others));
  return toRanges([...fromRanges(text)].filter((number) => !gone.has(number)));
}

/** Counts the numbers without generating them. */
export function countRanges(text: string): number {
  let count = 0;
  for (const part of text.split(' ')) {
    if (part === '') continue;
    const [first = '', last = first] = part.split('-');
    count += Number(last) - Number(first) + 1;
  }
  return count;
}
