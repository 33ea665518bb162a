/** Maps the items with `each`, `size` items at a time. The results are in the order of the items. */
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
