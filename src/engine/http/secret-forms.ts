/** Upper-case Latin letters become lower-case: escapes and hexadecimal digits come in both cases. */
export function fold(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The forms in which a text may repeat a secret: as it is, escaped for JSON (with or without non-ASCII
 * characters and slashes), Python, HTML and URLs (once or twice), and in base64, itself or its JSON, at each of
 * the three alignments. Each form is folded.
 */
export function formsOf(secret: string): Set<string> {
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
