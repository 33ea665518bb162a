import { markAll, markSecrets, PART_LENGTH } from './mark-secrets.js';
import { fold } from './secret-forms.js';

/** The secrets of one call, in the forms in which the caller gave them. */
export interface Secrets {
  /** Removed from every text of the API. */
  values: readonly string[];
  /** API keys of the account: the answer to a wrong key may repeat its first or last characters. */
  keys?: readonly string[] | undefined;
  /**
   * True when the body comes from a manifest: its content leaves no activity, so no text of the API
   * does. Only status, class and names of fields remain.
   */
  withholdsTexts?: boolean | undefined;
}

export const NO_SECRETS: Secrets = { values: [] };

const REPLACEMENT = '[redacted]';
const WITHHELD = '[the text is withheld: it repeats a secret]';

/**
 * A shorter value is not replaced: the places of the replacements would show its letters. A text that
 * contains it is withheld.
 */
const MIN_LENGTH = 4;
const EDGE_LENGTH = 4;
/** A longer text is cut before the search. */
const MAX_SEARCHED = 4_096;

/**
 * Removes secrets from texts of the API before they leave an activity: error texts echo input values,
 * and the answer to a wrong key repeats the key. Also removes what looks like a secret: credentials and
 * queries of URLs, values of authorization and cookie headers. Control characters become spaces.
 */
export function redactAll(texts: readonly string[], secrets: readonly string[]): string[] {
  const known = [...new Set(secrets)].filter((secret) => secret !== '');
  const short = known.filter((secret) => secret.length < MIN_LENGTH).map(fold);
  const long = known.filter((secret) => secret.length >= MIN_LENGTH);
  const searched = texts.map(cut);
  const marks = markSecrets(searched.map(fold), long);
  return searched.map((text, at) => {
    const folded = fold(text);
    if (short.some((secret) => folded.includes(secret))) return WITHHELD;
    return hideShapes(replaceMarked(text, marks[at])).replace(CONTROLS, ' ');
  });
}

const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

export function redact(text: string, secrets: readonly string[]): string {
  return redactAll([text], secrets)[0] ?? '';
}

/** Hides the first and the last characters of a key: for the answer to a wrong key only. */
export function redactKeyEdges(text: string, key: string): string {
  if (key.length < 2 * EDGE_LENGTH) return text;
  const marks = new Uint8Array(text.length);
  for (const edge of [key.slice(0, EDGE_LENGTH), key.slice(-EDGE_LENGTH)]) {
    markAll(fold(text), fold(edge), marks);
  }
  return replaceMarked(text, marks);
}

/** The cut may leave the beginning of a secret that is too short to be found, so that is removed too. */
function cut(text: string): string {
  return text.length <= MAX_SEARCHED ? text : text.slice(0, MAX_SEARCHED - PART_LENGTH);
}

function replaceMarked(text: string, marks: Uint8Array = new Uint8Array()): string {
  let result = '';
  for (let at = 0; at < text.length; at++) {
    if (marks[at] !== 1) result += text[at] ?? '';
    else if (at === 0 || marks[at - 1] !== 1) result += REPLACEMENT;
  }
  return result;
}

/** What looks like a secret, and its replacement. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  // The user name and the password of a URL.
  [/\/\/[^\s/?#@]+@/g, `//${REPLACEMENT}@`],
  // The query of a URL: presigned URLs have their signature there.
  [/(\w:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]+/g, `$1?${REPLACEMENT}`],
  [/\b((?:set-)?cookie["']?\s*[:=]\s*).+/gi, `$1${REPLACEMENT}`],
  [/\b(authorization["']?\s*[:=]\s*).+/gi, `$1${REPLACEMENT}`],
  [/\b((?:bearer|apikey)\s+)[^\s,;"']+/gi, `$1${REPLACEMENT}`],
  [/\b(basic\s+)[a-z0-9+/]{8,}=*/gi, `$1${REPLACEMENT}`],
];

function hideShapes(text: string): string {
  return SHAPES.reduce((hidden, [shape, shown]) => hidden.replace(shape, shown), text);
}

/** Words with dots and indexes between them: `videos[3].origin_url`. A word with a digit may be a secret. */
const NAME = /^[A-Za-z_]+(?:(?:\.[A-Za-z_]+)|(?:\.\d{1,6})|(?:\[\d{1,6}\]))*$/;
const MAX_NAME_LENGTH = 100;

/** Whether a redacted text is nothing but the name of a class or of a field. */
export function isPlainName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && NAME.test(text);
}

/** Whether a redacted text is nothing but the id of a request. */
export function isPlainId(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^[0-9a-f]{16,64}$/i.test(text);
}
