/** Upper-case Latin letters become lower-case: escapes and hexadecimal digits come in both cases. */
export function fold(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The forms in which a text may repeat a secret: as it is, escaped for JSON (with or without non-ASCII
 * characters and slashes), Python, HTML and URLs, and in base64 at each of its three alignments. Each
 * form is folded.
 */
export function formsOf(secret: string): Set<string> {
  const bytes = Buffer.from(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ascii = toAscii(escaped);
  const encoded = encodeSafely(secret);
  const forms = [
    secret,
    escaped,
    ascii,
    escaped.replaceAll('/', '\\/'),
    // JSON as a text inside of JSON.
    JSON.stringify(escaped).slice(1, -1),
    secret.replaceAll('\\', '\\\\').replaceAll("'", "\\'"),
    toHtml(secret),
    encoded,
    encoded.replaceAll('%20', '+'),
    encodePath(secret),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((shift) => base64At(bytes, shift)),
  ];
  return new Set(forms.map(fold).filter((form) => form !== ''));
}

/** A lone half of a surrogate pair has no form in a URL. */
function encodeSafely(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** URLs may keep what `encodeURIComponent` escapes. */
function encodePath(text: string): string {
  return encodeURI(Buffer.from(text).toString());
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

function toHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => HTML[sign] ?? sign);
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
