/** What a text may hold that nobody should see, whatever the name of its field. Each pattern needs linear time. */
import { FINDERS, type Assigned, type Finder } from './assigned-secrets.js';

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

const PRIVATE_KEY = /-{4,5} ?BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY|^Private-Lines: ?\d/m;

/** They are credentials by their form. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // `apikey 12$3f…`, `Bearer eyJ…`
  [/\b(apikey|bearer|basic)\s+(?=[^\s"',;]*\d)[^\s"',;]{6,}/gi, `$1 ${HIDDEN}`],
  // A permanent API key, a JSON Web Token, and keys that say whose they are.
  [/\b\d{1,12}\$[0-9a-f]{12,}/gi, HIDDEN],
  [/(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, HIDDEN],
  [
    /(?<![\w-])(?:A[KS]IA[0-9A-Z]{16}|gh[oprsu]_\w{30,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|glpat-[\w-]{15,}|[rs]k_(?:live|test)_\w{16,}|sk-(?:proj|ant)-[\w-]{20,}|npm_\w{36}|AIza[\w-]{35}|hvs\.[\w-]{20,}|AGE-SECRET-KEY-1\w{20,}|SG\.[\w-]{20,}\.[\w-]{20,}|do[opr]_v1_[0-9a-f]{40,}|dckr_pat_[\w-]{20,}|hf_[A-Za-z]{30,}|pypi-[\w-]{30,}|shp(?:at|ca|pa|ss)_[0-9a-f]{30,}|xapp-[\w-]{10,}|lin_api_\w{30,}|dapi[0-9a-f]{32}|ATATT3[\w-]{20,}|\d{8,10}:AA[\w-]{33})/g,
    HIDDEN,
  ],
  // The hash of a password, which may be guessed.
  [/\$(?:[156y]|2[aby]|apr1|argon2id?)\$[\w./$,=+-]{20,}/g, HIDDEN],
];

const PEM =
  /-{4,5} ?BEGIN [A-Z0-9 ]{1,40}-{4,5}[^-]{0,10000}(?:-{4,5} ?END [A-Z0-9 ]{1,40}-{4,5})?|^Private-Lines: ?\d{1,5}\r?\n[\w+/=\r\n]{0,10000}/gm;

/** A text as anybody may see it. */
export function hideSecretsIn(text: string): string {
  const urls = text.replaceAll(PEM, HIDDEN).replaceAll(URLS, withoutUrlSecrets);
  const plain = FORMS.reduce((rest, [form, by]) => rest.replace(form, by), urls);
  return FINDERS.reduce(hideAssigned, plain);
}

function hideAssigned(text: string, { sign, find }: Finder): string {
  if (!sign.test(text)) return text;
  let clean = '';
  let at = 0;
  for (const { from, to } of find(text)) {
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

/** Most texts are names, ids and a few words: no pattern fits one without any of these signs. */
const OF_FORM = /[\w.+/-]{14}|\$|(?:apikey|bearer|basic)\s/i;
const SIGNS = new RegExp(
  [OF_FORM.source, ':|--', ...FINDERS.map(({ sign }) => sign.source)].join('|'),
  'i',
);

function isSecretText(text: string): boolean {
  if (!SIGNS.test(text)) return false;
  if (text.includes('-') && PRIVATE_KEY.test(text)) return true;
  if (OF_FORM.test(text) && FORMS.some(([form]) => text.search(form) !== -1)) return true;
  if (text.includes('://') && hasSecretUrl(text)) return true;
  if (text.includes('Secret') && IS_SECRET_MANIFEST.test(text)) return true;
  return FINDERS.some(({ sign, find }) => sign.test(text) && assignsOne(text, find(text)));
}

function hasSecretUrl(text: string): boolean {
  for (const [url] of text.matchAll(URLS)) {
    if (/\/\/[^/#@:]*:[^/#@]+@/.test(url) || withoutHook(url) !== url) return true;
  }
  return false;
}

function assignsOne(text: string, values: Iterable<Assigned>): boolean {
  for (const { from, to } of values) {
    if (!STANDS_FOR_ONE.test(text.slice(from, to))) return true;
  }
  return false;
}

/** Of Kubernetes: whatever the names in it. */
const IS_SECRET_MANIFEST = /(?<![\w-])kind["'\\]{0,9}\s{0,5}:\s{0,5}["'\\]{0,9}Secret\b(?![\w-])/;

/** Programs break it into lines. */
const BASE64 = /^(?:data:[^,]{0,200};base64,)?([\w+/\r\n-]{16,}={0,2})$/;

/** What a text is in base64; "" for any other, and where it is no text. */
function decoded(text: string): string {
  if (text.length < 16) return '';
  const [, encoded = ''] = BASE64.exec(text.trimEnd()) ?? [];
  const plain = Buffer.from(encoded, 'base64').toString();
  return plain.includes('\ufffd') ? '' : plain;
}
