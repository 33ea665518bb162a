import { decodeText } from './decode-text.js';

/** During a rotation the new one and the old one, until all receivers know the new one. */
const MAX_SECRETS = 2;
const PREFIX = 'whsec_';
/** What Standard Webhooks asks for. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

const RULE = `must be one or two lines, each "${PREFIX}" and ${MIN_BYTES} to ${MAX_BYTES} bytes in base64`;

/** The signing secrets in a file. A fault never shows what the file says. */
export function parseWebhookSecrets(
  bytes: Uint8Array,
): { ok: true; secrets: string[] } | { ok: false; fault: string } {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  const secrets = decoded.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isSound = secrets.length > 0 && secrets.length <= MAX_SECRETS && secrets.every(isSecret);
  return isSound ? { ok: true, secrets } : { ok: false, fault: RULE };
}

function isSecret(line: string): boolean {
  const encoded = line.startsWith(PREFIX) ? line.slice(PREFIX.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  const isCanonical = bytes.toString('base64') === encoded;
  return isCanonical && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES;
}
