/** What `each` makes of the items, in their order; so many of them at a time. */
export async function inBatches<I, R>(
  items: readonly I[],
  size: number,
  each: (item: I) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += size) {
    const batch = items.slice(first, first + size);
    results.push(...(await Promise.all(batch.map((item) => each(item)))));
  }
  return results;
}
