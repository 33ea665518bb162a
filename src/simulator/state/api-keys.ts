/** Name of the key of the option `apiKey`. */
export const FIRST_KEY = 'default';

/** The API keys that the simulator accepts, by name. */
export interface ApiKeys {
  /** Accepts this key from now on; it replaces the one of the same name. */
  add(name: string, key: string): void;
  /** Answers 401 to the key of this name from now on. */
  revoke(name: string): void;
  /** The name of an accepted key. */
  nameOf(key: string): string | undefined;
}

export function createApiKeys(first: Readonly<Record<string, string>>): ApiKeys {
  const keys = new Map(Object.entries(first));
  return {
    add: (name, key) => void keys.set(name, key),
    revoke: (name) => void keys.delete(name),
    nameOf: (wanted) => [...keys].find(([, key]) => key === wanted)?.[0],
  };
}
