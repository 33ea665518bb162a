import type { FoundSecret, SecretSource } from '../../../src/activities/index.js';

/** A place with these secrets. A text is a value that nobody has changed for a day. */
export function secretsIn(secrets: Readonly<Record<string, string | FoundSecret>>): SecretSource & {
  /** The names that were read, in order. */
  asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    read(name) {
      asked.push(name);
      const secret = secrets[name];
      if (secret === undefined) return Promise.resolve({ is: 'missing', advice: `Add ${name}.` });
      return Promise.resolve(typeof secret === 'string' ? found(secret) : secret);
    },
  };
}

const DAY_MS = 86_400_000;

export function found(text: string, ageMs = DAY_MS): FoundSecret {
  return { is: 'found', text, since: () => Promise.resolve(Date.now() - ageMs) };
}
