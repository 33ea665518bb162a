const REPLACEMENT = '[redacted]';

/** Shorter values are common words: replacing them would garble a message and hide nothing. */
const MIN_SECRET_LENGTH = 4;

/**
 * Removes secrets from a text of the API before a failure repeats it: error texts echo input
 * values, and the answer to a wrong key repeats the key.
 */
export function redact(text: string, secrets: readonly string[]): string {
  return (
    secrets
      .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
      // Longest first: one secret may contain another.
      .sort((a, b) => b.length - a.length)
      .reduce((redacted, secret) => redacted.replaceAll(secret, REPLACEMENT), text)
  );
}
