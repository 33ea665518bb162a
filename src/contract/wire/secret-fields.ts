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
  pass passwd password passcode passphrase passwort pwd secret token psk credential cred auth authorization cookie jwt
  bearer signature totp hmac dsn kubeconfig userdata pkcs12 p12 pfx jks keystore keytab netrc mnemonic dockercfg
  dockerconfigjson`);

/** They do at the end of one only: `pin_memory` pins something. */
const SECRETS_AT_END = list('pin pw otp sig sas');

/** Written as one word with what stands before: `dbpassword`, `clientsecret`. Nothing else ends so. */
const GLUED =
  /(?:password|passwd|passphrase|passcode|pwd|secret|token|credential|kubeconfig|userdata|connectionstring|webhookurl|(?:api|secret|access|private|priv|auth|shared|master|signing|encryption)key|(?:basic|http|proxy)auth|^(?:db|admin|user|root|my|pg|ssh|ftp|smtp|mail|ldap|redis|mysql)pass)$|^passw(?:or)?d/;

/** A key is a secret when one of these stands before it. A `public_key`, a `key_name` and a `partition_key` are none. */
const KEYS = list('key pem jwk');
const OF_SECRET_KEYS = list(`
  api secret private access encryption encrypt decryption signing sign shared preshared master root admin account service
  session hmac ssl tls client server deploy crypto cipher aes rsa dsa ecdsa wireguard wg join recovery activation license
  licence product stream app application consumer bot subscription cert certificate webhook auth`);
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
  ...pairs('recovery backup access verification security', 'code'),
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
  through rate bit dir folder prefix scheme provider available unavailable missing invalid refused`);

/** As the first part they ask something about secrets, or count them: `has_password`, `max_tokens`. */
const ASKING = list(
  'has had is was needs allow require enable disable generate no without max min total num',
);

/** A text in one of these may be a whole file of settings with its passwords. */
const HOLDERS = list('config configuration conf cfg');

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
  return name
    .slice(-LONGEST_NAME)
    .normalize('NFKC')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((text) => /[a-z]/.test(text))
    .map((text) => ({ text, word: text.replace(/(?<!pas)s?\d{0,9}$/, '') }));
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
  return isIn(SECRETS, part) || GLUED.test(part.word) || GLUED.test(part.text);
}

function isSecretPair(parts: readonly Part[]): boolean {
  return parts.some(({ text, word }, at) => {
    const [seconds, next] = [PAIRS.get(text) ?? PAIRS.get(word), parts[at + 1]];
    return seconds !== undefined && next !== undefined && isIn(seconds, next);
  });
}

function hasSecretKey(parts: readonly Part[]): boolean {
  const first = parts.findIndex((part) => isIn(OF_SECRET_KEYS, part));
  return first !== -1 && parts.slice(first + 1).some((part) => isIn(KEYS, part));
}

/** Whether a field of this name holds a secret, in any of the usual spellings. */
export function isSecretField(name: string): boolean {
  // Logs have many names of one letter, and URLs end in one.
  if (name.length < 2) return false;
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
  /** The parts of the name above. */
  above: readonly Part[];
}

export const AT_TOP: Standing = { isSecret: false, covers: false, isHolder: false, above: [] };

/** The place of a field below another: `tls`, `key` is a `tls_key`, and all below `secret` is one. */
export function standingOf(name: string, { covers, above }: Standing = AT_TOP): Standing {
  const parts = partsOf(name);
  const own = judgeParts(parts);
  const isBelow = covers || judgeParts([...above.slice(-2), ...parts]) === 'secret';
  const last = parts.at(-1);
  return {
    isSecret: own === 'secret' || (own === 'plain' && isBelow),
    covers: own === 'secret' || isBelow,
    isHolder: last !== undefined && isIn(HOLDERS, last),
    above: parts,
  };
}

/** Whether what is at the end of this path may be a secret. An index has no name of its own. */
export function isSecretPath(path: readonly string[], from: Standing = AT_TOP): boolean {
  const end = path.reduce((at, name) => (/^\d+$/.test(name) ? at : standingOf(name, at)), from);
  return end.isSecret || end.isHolder;
}

const NAMING = list(
  'name key k variable var env field header param parameter property setting option',
);
const VALUES = list('value values val v content data default text string plaintext');

/** Of `{ "name": "DB_PASSWORD", "value": … }`: the fields whose value is the secret. None of any other object. */
export function secretValuesOf(value: object): ReadonlySet<string> {
  const entries = Object.entries(value);
  const isNamed = entries.some(
    ([name, given]: [string, unknown]) =>
      typeof given === 'string' &&
      NAMING.has(name.toLowerCase()) &&
      given.length <= LONGEST_NAME &&
      isSecretField(given),
  );
  if (!isNamed) return NONE;
  return new Set(entries.flatMap(([name]) => (VALUES.has(name.toLowerCase()) ? [name] : [])));
}

const NONE: ReadonlySet<string> = new Set();
