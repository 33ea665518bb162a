/** The API key of an account. It may be replaced while calls are under way. */
export interface ApiKeys {
  /** For a request that is sent now. */
  current: () => string;
  /** The current key first, then the former ones: an answer to an earlier call may repeat them. */
  all: () => readonly string[];
}

export interface ReplaceableKeys extends ApiKeys {
  /** All requests from now on have this key. */
  replace: (key: string) => void;
}

/** A daily rotation for three weeks. Each key costs time in every text that is searched for it. */
const MAX_KEYS = 20;

export function createApiKeys(first: string): ReplaceableKeys {
  let keys: readonly string[] = [first];
  return {
    current: () => keys[0] ?? first,
    all: () => keys,
    replace: (key) => {
      keys = [key, ...keys.filter((former) => former !== key)].slice(0, MAX_KEYS);
    },
  };
}

/** A key that is never replaced is a text. */
export function toApiKeys(key: string | ApiKeys): ApiKeys {
  return typeof key === 'string' ? createApiKeys(key) : key;
}
