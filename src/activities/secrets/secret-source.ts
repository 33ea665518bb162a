/** What a place that keeps secrets says about one of them. Only `text` shows the value. */
export type FoundSecret =
  | {
      is: 'found';
      text: string;
      /** Since when it has had this value, in milliseconds since the epoch; `undefined` when nobody knows. */
      since: () => Promise<number | undefined>;
    }
  /** A person has to create it. `advice`: where. */
  | { is: 'missing'; advice: string }
  /** It is there, but a person has to mend something before the worker can read it. */
  | { is: 'unreadable'; why: string; advice: string }
  /** It can never be sent as it is: it is too long, or no text. */
  | { is: 'unfit'; why: string }
  /** The place does not answer. */
  | { is: 'away'; why: string };

/** Where the worker finds secrets by their name: files, variables, a vault. */
export interface SecretSource {
  /** Ends early when the signal aborts. */
  read(name: string, signal: AbortSignal): Promise<FoundSecret>;
}

/** A longer text is no secret: a value of a KV store, the longest of all, has 1 MiB. */
export const MAX_SECRET_BYTES = 1_572_864;

/** Of a worker without any secrets. */
export const NO_SECRETS_HERE: SecretSource = {
  read: () => {
    const advice = 'This worker has no secrets: set GCORE_SECRETS_DIR (docs/secure.md).';
    return Promise.resolve({ is: 'missing', advice });
  },
};
