/** How an answer of the API grows. */
export interface Growth {
  /** The texts of ids too, not only names and prose. */
  isEverywhere: boolean;
  /** Appended to each text. */
  text: string;
  /** How often the outer lists repeat their entries. */
  rows: number;
  /** How often the lists within a list do. */
  entries: number;
}

const IDS = /(^|_)id$|^tasks$|^(instances|volumes|floatingips)$|_on$|_at$|^public_key$/;

/** The same JSON with longer texts and longer lists. */
export function inflate(value: unknown, growth: Growth, field = ''): unknown {
  if (typeof value === 'string') {
    return growth.isEverywhere || !IDS.test(field) ? `${value}${growth.text}` : value;
  }
  if (Array.isArray(value)) {
    const inner = { ...growth, rows: growth.entries };
    const entries = value.map((entry: unknown) => inflate(entry, inner, field));
    return Array.from({ length: growth.rows }, () => entries).flat();
  }
  if (value instanceof Object) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, inflate(inner, growth, key)]),
    );
  }
  return value;
}
