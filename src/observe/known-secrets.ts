import { HIDDEN } from '../contract/wire/secret-texts.js';

const MIN_LENGTH = 8;
const MAX_SECRETS = 500;

/** Of this process: every log line and every span goes through it, whoever writes them. */
const known = new Map<string, readonly string[]>();

/** From now on no log line and no span of this process shows this value, such as an API key. */
export function hideSecret(secret: string): void {
  if (secret.length < MIN_LENGTH || known.has(secret)) return;
  const [oldest] = known.keys();
  if (known.size >= MAX_SECRETS && oldest !== undefined) known.delete(oldest);
  known.set(secret, formsOf(secret));
}

/** As it is, in a URL, inside JSON, and in base64. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64').replaceAll('=', '');
  return [
    ...new Set([
      secret,
      encodeURIComponent(Buffer.from(secret).toString()),
      JSON.stringify(secret).slice(1, -1),
      base64,
    ]),
  ];
}

/** The text with `***` for every known secret. */
export function withoutKnownSecrets(text: string): string {
  let clean = text;
  for (const forms of known.values()) {
    for (const form of forms) clean = clean.replaceAll(form, HIDDEN);
  }
  return clean;
}
