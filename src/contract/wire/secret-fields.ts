/**
 * The one table of names that say of a value that it is a secret. The edge refuses by it, logs and spans leave out by it,
 * and a pointer is judged by it.
 *
 * A name is judged by its parts: `adminPass`, `admin_pass` and `ADMIN-PASS` are `admin`, `pass`. So `compass` and
 * `author` are nothing. What the last part says is about a secret, such as its `id` or its `count`, is none.
 */

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean));

/** They name a secret wherever they stand in a name. */
const SECRETS = list(`
  pass passwd password passcode passphrase passwort kennwort contrasena pwd pincode secret token psk credential cred auth authorization cookie jwt
  bearer signature totp hmac dsn kubeconfig userdata pkcs12 p12 pfx jks keystore keytab netrc mnemonic dockercfg
  dockerconfigjson pkey privkey pvtkey`);

/** They do at the end of one only: `pin_memory` pins something. */
const SECRETS_AT_END = list('pin pw otp sig sas preshared cvv cvc');

/** Written as one word with what stands before: `dbpassword`, `clientsecret`. Nothing else ends so. */
const GLUED =
  /(?:password|passwd|passphrase|passcode|pwd|secret|token|credential|kubeconfig|userdata|connectionstring|webhookurl|(?:api|secret|access|private|priv|auth|shared|master|signing|encryption)key|(?:basic|http|proxy)auth|^(?:db|admin|user|root|my|pg|ssh|ftp|smtp|mail|ldap|redis|mysql)pass|^(?:db|admin|user|root|bind)pw)$|^passw(?:or)?d(?!les)/;

/** A key is a secret when one of these stands before it. A `public_key`, a `key_name` and a `partition_key` are none. */
const KEYS = list('key pem jwk');
const OF_SECRET_KEYS = list(`
  api secret private priv access encryption encrypt enc decryption decrypt crypt fernet unseal signing sign shared preshared master root admin account service
  session hmac ssl tls client server deploy crypto cipher secure drm hls vpn ipsec luks pvt aes rsa dsa ecdsa wireguard wg join recovery activation license
  licence product stream app application consumer bot subscription cert certificate webhook auth stripe openai sendgrid mailgun twilio`);
/** What a `cert_pem` holds is shown to everybody. */
const CERTIFICATES = list('cert certificate chain');
const PUBLIC = list('public pub');

const pairs = (first: string, second: string) =>
  [...list(first)].map((word) => [word, list(second)] as const);

/** Two parts that stand together, by the first. */
const PAIRS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...pairs('user', 'data'),
  ...pairs('kube docker cloud', 'config conf init'),
  ...pairs('connection conn', 'string str url uri'),
  ...pairs(
    'database db redis mongo mongodb postgres postgresql mysql amqp rabbitmq jdbc smtp sentry',
    'url uri',
  ),
  // Chat services name whoever may post by the path of the URL.
  ...pairs('webhook hook', 'url uri'),
  // Their queries are the credential.
  ...pairs('presigned signed sas', 'url uri'),
  ...pairs('recovery backup access verification security activation pin mfa otp', 'code'),
  ...pairs('key', 'material'),
  ...pairs('snmp', 'community'),
  ...pairs('account', 'json'),
  ...pairs('seed', 'phrase'),
]);

/** As the last part they say that the value is about a secret: its name, its age, its place. */
const ABOUT = list(`
  id uuid name type kind count length size limit min max minimum maximum expiration expire expiry exp ttl lifetime age at
  date time since created updated rotated rotation period day hour minute second version mode method status state enabled
  disabled required url uri href link endpoint host hostname port path ref reference policy rule algorithm algo alg format
  encoding fingerprint thumbprint realm scope group role user username login email domain description comment
  label region project issuer audience subject claim certificate cert chain ca public pub index left used usage quota
  through rate bit dir folder prefix scheme provider available unavailable missing invalid refused
  authentication backend store bucket`);

/** As the first part they ask something about secrets, or count them: `has_password`, `max_tokens`. */
const ASKING = list(
  'has had is was needs allow require enable disable generate no without max min total num',
);

/** A text in one of these may be a whole file of settings with its passwords. */
const HOLDERS = list('config configuration conf cfg');
const MAY_BE_HOLDER = /conf|cfg|[^\0-~]/i;

type Verdict = 'secret' | 'about' | 'plain';

/** One part of a name, as it is written, and without its number and its plural. */
interface Part {
  text: string;
  word: string;
}

const isIn = (set: ReadonlySet<string>, { text, word }: Part): boolean =>
  set.has(text) || set.has(word);

/** Of a longer name only its end counts. */
const LONGEST_NAME = 200;

/** `DBPassword` → `db`, `password`. Full-width letters count as Latin ones. */
function partsOf(name: string): Part[] {
  const end = name.slice(-LONGEST_NAME);
  return (SIMPLE.test(end) ? end : spelled(end))
    .split(/[^a-z0-9]+/)
    .filter((text) => /[a-z]/.test(text))
    .map((text) => ({ text, word: withoutEnd(text) }));
}

/** Most names are. */
const SIMPLE = /^[a-z0-9_. -]*$/;

function spelled(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .toLowerCase();
}

/** `keys2` → `key`, but `pass` → `pass`. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isDigit(text.charCodeAt(end - 1))) end -= 1;
  if (text[end - 1] === 's' && !text.startsWith('pas', end - 4)) end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function judgeParts(parts: readonly Part[]): Verdict {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return 'plain';
  if (isSecretPair(parts)) return 'secret';
  if (isIn(ABOUT, last) || (first !== last && isIn(ASKING, first))) return 'about';
  const isSecret =
    isIn(SECRETS_AT_END, last) ||
    parts.some(isSecretPart) ||
    (hasSecretKey(parts) && !parts.some((part) => isIn(PUBLIC, part)));
  return isSecret ? 'secret' : 'plain';
}

function isSecretPart(part: Part): boolean {
  const { text, word } = part;
  return isIn(SECRETS, part) || GLUED.test(word) || (text !== word && GLUED.test(text));
}

function isSecretPair(parts: readonly Part[]): boolean {
  return parts.some(({ text, word }, at) => {
    const [seconds, next] = [PAIRS.get(text) ?? PAIRS.get(word), parts[at + 1]];
    return seconds !== undefined && next !== undefined && isIn(seconds, next);
  });
}

function hasSecretKey(parts: readonly Part[]): boolean {
  const first = parts.findIndex((part) => isIn(OF_SECRET_KEYS, part));
  return first !== -1 && parts.some((part, at) => at > first && isKey(part, parts[at - 1]));
}

function isKey(part: Part, before: Part | undefined): boolean {
  const isCertificate = part.word === 'pem' && before !== undefined && isIn(CERTIFICATES, before);
  return isIn(KEYS, part) && !isCertificate;
}

/** Every name of a secret has one of these, or letters of another kind: most names of a long text have none. */
const MAY_BE_SECRET = new RegExp(
  [
    ...SECRETS,
    ...SECRETS_AT_END,
    ...KEYS,
    ...PAIRS.keys(),
    'passw',
    'connectionstring',
    '[^\\0-~]',
  ].join('|'),
  'i',
);

/** Whether a field of this name holds a secret, in any of the usual spellings. */
export function isSecretField(name: string): boolean {
  // Logs have many names of one letter, and URLs end in one.
  if (name.length < 2 || !MAY_BE_SECRET.test(name)) return false;
  return judgeParts(partsOf(name)) === 'secret';
}

/** Where a value stands: what the names above it say of it. */
export interface Standing {
  /** It is a secret. */
  isSecret: boolean;
  /** What is below it is one, unless its own name says that it is about one. */
  covers: boolean;
  /** A text here may hold any. */
  isHolder: boolean;
  /** The name above, or its parts where they were needed. */
  above: string | readonly Part[];
}

export const AT_TOP: Standing = { isSecret: false, covers: false, isHolder: false, above: '' };

/** The place of a field below another: `tls`, `key` is a `tls_key`, and all below `secret` is one. */
export function standingOf(name: string, { covers, above }: Standing = AT_TOP): Standing {
  // It is looked through again for each field below.
  if (!covers && isPlain(name, above)) return { ...AT_TOP, above: name.slice(-LONGEST_NAME) };
  const parts = partsOf(name);
  const own = judgeParts(parts);
  const before = typeof above === 'string' ? partsOf(above) : above;
  const isBelow = covers || judgeParts([...before.slice(-2), ...parts]) === 'secret';
  const last = parts.at(-1);
  return {
    isSecret: own === 'secret' || (own === 'plain' && isBelow),
    covers: own === 'secret' || isBelow,
    isHolder: last !== undefined && isIn(HOLDERS, last),
    above: parts,
  };
}

/** Most names are, and need not be taken apart. */
function isPlain(name: string, above: Standing['above']): boolean {
  if (typeof above !== 'string' || MAY_BE_SECRET.test(above)) return false;
  return !MAY_BE_SECRET.test(name) && !MAY_BE_HOLDER.test(name);
}

/** Whether what is at the end of this path may be a secret. An index has no name of its own. */
export function isSecretPath(path: readonly string[], from: Standing = AT_TOP): boolean {
  const end = path.reduce((at, name) => (/^\d+$/.test(name) ? at : standingOf(name, at)), from);
  return end.isSecret || end.isHolder;
}

const NAMING = list(
  'name key k id title type path variable var env field header param parameter property setting option label attribute attr',
);
const VALUES = list('value values val v content data default text string plaintext');

/** Most fields name nothing, and are not taken apart. */
const MAY_NAME = new RegExp(`(?:${[...NAMING].join('|')})$`, 'i');

/** `header_name` → `header`, `name`. */
function splitEnd(name: string): { start: string; end: string } {
  const texts = partsOf(name).map(({ text }) => text);
  return { start: texts.slice(0, -1).join(' '), end: texts.at(-1) ?? '' };
}

/**
 * Of `{ "name": "DB_PASSWORD", "value": … }`, or with `header_name` and `header_value`: the fields whose value is the
 * secret. None of any other object.
 */
export function secretValuesOf(value: object): ReadonlySet<string> {
  const entries: [string, unknown][] = Object.entries(value);
  const starts = new Set(entries.flatMap(([name, given]) => startOfNaming(name, given)));
  if (entries.some(([name, given]) => name === 'kind' && given === 'Secret')) return OF_MANIFEST;
  if (starts.size === 0) return NONE;
  const isValue = ({ start, end }: ReturnType<typeof splitEnd>): boolean =>
    VALUES.has(end) && (starts.has(start) || (start === '' && [...starts].some(isNaming)));
  return new Set(entries.flatMap(([name]) => (isValue(splitEnd(name)) ? [name] : [])));
}

/** What stands before the end of a field that names a secret. */
function startOfNaming(name: string, given: unknown): string[] {
  if (typeof given !== 'string' || given.length > LONGEST_NAME || !MAY_NAME.test(name)) return [];
  const { start, end } = splitEnd(name);
  return NAMING.has(end) && isSecretField(given) ? [start] : [];
}

/** Of `variable_name`: then `value` alone is its value. */
function isNaming(start: string): boolean {
  return NAMING.has(start);
}

const NONE: ReadonlySet<string> = new Set();

/** A secret of Kubernetes. */
const OF_MANIFEST: ReadonlySet<string> = new Set(['data', 'stringData']);
