/** What a text may hold that nobody should see, whatever the name of its field. Each pattern needs linear time. */
import { isSecretField } from './secret-fields.js';

export const HIDDEN = '***';

/** All that stands together behind a scheme. It may hold more than one URL. */
const URLS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]*/gi;
const USER_INFO = /\/\/[^/#@]+@/g;
/** The path of such a URL is the credential. */
const HOOK_URL =
  /^[a-z][a-z0-9+.-]*:\/\/(?:hooks?\.[^/]*|[^/]*\/(?:[^?#]{0,200}\/)?(?:webhook\w{0,10}|hooks|bot\d+:[^/]*))\/(?=[^?#])/i;

/** Without the credentials and the query: what it takes has been seen once, however many schemes stand in it. */
function withoutUrlSecrets(url: string): string {
  const [path = '', ...query] = url.split('?', 2);
  const clean = withoutHook(path.replaceAll(USER_INFO, `//${HIDDEN}@`));
  return query.length === 0 ? clean : `${clean}?${HIDDEN}`;
}

function withoutHook(url: string): string {
  const start = HOOK_URL.exec(url)?.[0];
  return start === undefined ? url : `${start}${HIDDEN}`;
}

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/;

/** They are credentials by their form. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // `apikey 12$3f…`, `Bearer eyJ…`
  [/\b(apikey|bearer|basic)\s+(?=[^\s"',;]*\d)[^\s"',;]{6,}/gi, `$1 ${HIDDEN}`],
  // A permanent API key, a JSON Web Token, and keys that say whose they are.
  [/\b\d{1,12}\$[0-9a-f]{12,}/gi, HIDDEN],
  [/(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, HIDDEN],
  [
    /(?<![\w-])(?:A[KS]IA[0-9A-Z]{16}|gh[oprsu]_\w{30,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|glpat-[\w-]{15,}|[rs]k_(?:live|test)_\w{16,}|sk-(?:proj|ant)-[\w-]{20,}|npm_\w{36}|AIza[\w-]{35}|hvs\.[\w-]{20,}|AGE-SECRET-KEY-1\w{20,})/g,
    HIDDEN,
  ],
  // The hash of a password, which may be guessed.
  [/\$(?:[156y]|2[aby]|apr1|argon2id?)\$[\w./$,=+-]{20,}/g, HIDDEN],
];

const PEM = /-----BEGIN [A-Z ]{1,40}-----[^-]{0,10000}(?:-----END [A-Z ]{1,40}-----)?/g;

/** A text as anybody may see it. */
export function hideSecretsIn(text: string): string {
  const urls = text.replaceAll(PEM, HIDDEN).replaceAll(URLS, withoutUrlSecrets);
  return hideAssigned(FORMS.reduce((rest, [form, by]) => rest.replace(form, by), urls));
}

/** Between a name and its value. A space is enough behind an option. */
const ASSIGNING =
  /["'\\]{0,3}\s{0,5}[:=]\s{0,5}\\{0,2}|(?<=[\w-])\s{1,5}(?<=(?<![\w-])--[\w-]{1,80}\s{1,5})(?=[^\s-])/g;
const ASSIGNED = /"[^"]*"?|'[^']*'?|[^\s"',;)}\]]+/y;
const LONGEST_NAME = 80;

interface Assigned {
  /** Where the value begins and ends. */
  from: number;
  to: number;
}

/** The values that a text gives to secret names: `password=…`, `"token": "…"`, `DB_PASS: …`. */
function* assignedIn(text: string): Generator<Assigned> {
  const assigning = new RegExp(ASSIGNING);
  const isSecret = judgeOnce();
  for (let found = assigning.exec(text); found !== null; found = assigning.exec(text)) {
    if (!isSecret(nameBefore(text, found.index))) continue;
    const from = assigning.lastIndex;
    ASSIGNED.lastIndex = from;
    const to = from + (ASSIGNED.exec(text)?.[0].length ?? 0);
    if (to === from) continue;
    yield { from, to };
    assigning.lastIndex = to;
  }
}

/** Long texts repeat few names. */
function judgeOnce(): (name: string) => boolean {
  const judged = new Map<string, boolean>();
  return (name) => {
    const known = judged.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretField(name);
    judged.set(name, isSecret);
    return isSecret;
  };
}

function nameBefore(text: string, end: number): string {
  let from = end;
  while (from > 0 && end - from < LONGEST_NAME && /[\p{L}\p{N}_.-]/u.test(text[from - 1] ?? ''))
    from -= 1;
  return text.slice(from, end);
}

function hideAssigned(text: string): string {
  let clean = '';
  let at = 0;
  for (const { from, to } of assignedIn(text)) {
    clean += text.slice(at, from) + HIDDEN;
    at = to;
  }
  return clean + text.slice(at);
}

/** Not itself a secret: it is left out, or another program puts it in. */
const STANDS_FOR_ONE =
  /^["']?(?:$|\*{3}|[$<{%]|(?:none|null|true|false|yes|no|required|optional)\b)/i;

/** Whether a text holds a secret for certain, itself or in base64. A certificate is none, nor is any query of a URL. */
export function holdsSecret(text: string): boolean {
  return isSecretText(text) || isSecretText(decoded(text));
}

/** Most texts are short names and ids: no pattern fits one without any of these signs. */
const SHORT = /^[\w-]{0,13}$/;

function isSecretText(text: string): boolean {
  if (SHORT.test(text)) return false;
  if (PRIVATE_KEY.test(text) || FORMS.some(([form]) => text.search(form) !== -1)) return true;
  for (const [url] of text.matchAll(URLS)) {
    if (/\/\/[^/#@:]*:[^/#@]+@/.test(url) || withoutHook(url) !== url) return true;
  }
  for (const { from, to } of assignedIn(text)) {
    if (!STANDS_FOR_ONE.test(text.slice(from, to))) return true;
  }
  return false;
}

/** Programs break it into lines. */
const BASE64 = /^(?:data:[^,]{0,200};base64,)?([\w+/\r\n-]{16,}={0,2})$/;

/** What a text is in base64; "" for any other, and where it is no text. */
function decoded(text: string): string {
  const [, encoded = ''] = BASE64.exec(text.trimEnd()) ?? [];
  const plain = Buffer.from(encoded, 'base64').toString();
  return plain.includes('\ufffd') ? '' : plain;
}
