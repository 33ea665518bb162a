/** Upper-case Latin letters become lower-case: escapes and hexadecimal digits come in both cases. */
function fold(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The forms in which a text may repeat a secret: as it is, escaped for JSON (with or without non-ASCII
 * characters and slashes), Python, HTML and URLs (once or twice), and in base64, itself or its JSON, at each of
 * the three alignments. Each form is folded.
 */
function formsOf(secret: string): Set<string> {
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ascii = toAscii(escaped);
  const python = secret.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const forms = [
    secret,
    escaped,
    ascii,
    escaped.replaceAll('/', '\\/'),
    // JSON as a text inside of JSON.
    JSON.stringify(escaped).slice(1, -1),
    python,
    toPythonBytes(python),
    ...HTML_WAYS.map((write) => secret.replace(/[&<>"']/g, write)),
    ...urlFormsOf(secret),
    bytes.toString('hex'),
    ...[bytes, Buffer.from(escaped), Buffer.from(ascii)].flatMap(base64Of),
  ];
  return new Set(forms.map(fold).filter((form) => form !== ''));
}

/** A lone half of a surrogate pair has no form in a URL. */
function urlFormsOf(secret: string): string[] {
  const text = Buffer.from(secret).toString();
  const encoded = encodeURIComponent(text);
  // Python and others escape these too.
  const strict = encoded.replace(/[!'()*]/g, toPercent);
  const once = [encoded, strict];
  return [
    ...once,
    ...once.map((form) => form.replaceAll('%20', '+')),
    ...once.map((form) => form.replaceAll('%2F', '/')),
    // URLs may keep what `encodeURIComponent` escapes.
    encodeURI(text),
    ...once.map(encodeURIComponent),
  ];
}

function toPercent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16)}`;
}

/** `é` → `\xc3\xa9`, as Python shows bytes. */
function toPythonBytes(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
}

/** `é` → `\u00e9` */
function toAscii(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const HTML_WAYS: readonly ((sign: string) => string)[] = [
  (sign) => HTML[sign] ?? sign,
  (sign) => `&#${sign.charCodeAt(0)};`,
  (sign) => `&#x${sign.charCodeAt(0).toString(16)};`,
  // Python and Go name some and number the others.
  (sign) => (sign === '"' ? '&#34;' : (HTML[sign] ?? sign)),
  (sign) => (sign === "'" ? '&#x27;' : (HTML[sign] ?? sign)),
];

function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => base64At(bytes, shift));
}

/**
 * The digits of base64 that these bytes alone decide when `shift` other bytes come before them, in
 * both alphabets.
 */
function base64At(bytes: Buffer, shift: number): string[] {
  const digits = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const from = Math.ceil((shift * 8) / 6);
  const to = Math.floor(((shift + bytes.length) * 8) / 6);
  const standard = digits.slice(from, to);
  return [standard, standard.replaceAll('+', '-').replaceAll('/', '_')];
}

/**
 * A part of a secret with this length counts as the secret: error texts cut what they repeat, at the
 * beginning or at the end. A shorter secret counts as a whole.
 */
const PART_LENGTH = 8;

/** The places of the parts of all texts, by the part. */
type Index = Map<string, Place[]>;

interface Place {
  text: number;
  at: number;
}

/**
 * Marks with 1, for each folded text, the characters that belong to a form of a secret or to a part of
 * one. The texts are short, but secrets may be long and many: so the texts are indexed.
 */
function markSecrets(texts: readonly string[], secrets: readonly string[]): Uint8Array[] {
  const marks = texts.map((text) => new Uint8Array(text.length));
  const index = indexParts(texts);
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      if (form.length >= PART_LENGTH) markParts(form, index, marks);
      else for (const [at, text] of texts.entries()) markAll(text, form, marks[at]);
    }
  }
  return marks;
}

/** Marks every occurrence of the form. */
function markAll(text: string, form: string, marks: Uint8Array = new Uint8Array()): void {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    marks.fill(1, at, at + form.length);
  }
}

function indexParts(texts: readonly string[]): Index {
  const index = new Map<string, Place[]>();
  texts.forEach((content, text) => {
    for (let at = 0; at + PART_LENGTH <= content.length; at++) {
      const part = content.slice(at, at + PART_LENGTH);
      const places = index.get(part);
      if (places === undefined) index.set(part, [{ text, at }]);
      else places.push({ text, at });
    }
  });
  return index;
}

/** A part that was found once is marked everywhere, so nobody has to look for it again. */
function markParts(form: string, index: Index, marks: readonly Uint8Array[]): void {
  for (let from = 0; from + PART_LENGTH <= form.length && index.size > 0; from++) {
    const part = form.slice(from, from + PART_LENGTH);
    const places = index.get(part);
    if (places === undefined) continue;
    for (const { text, at } of places) marks[text]?.fill(1, at, at + PART_LENGTH);
    index.delete(part);
  }
}

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
