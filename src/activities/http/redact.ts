const REPLACEMENT = '[redacted]';

/** Shorter values are common words; replacing them would garble a message without hiding anything. */
const SHORTEST_SECRET = 4;

/**
 * Takes secrets out of a text of the API before it may appear in a failure: error texts echo
 * input values, and the answer to a wrong key repeats the key.
 */
export function redact(text: string, secrets: readonly string[]): string {
  return (
    secrets
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      // The longer first: a secret may contain another one.
      .sort((a, b) => b.length - a.length)
      .reduce((redacted, secret) => redacted.replaceAll(secret, REPLACEMENT), text)
  );
}
