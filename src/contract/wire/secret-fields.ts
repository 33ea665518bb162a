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

/** Two parts that stand together. */
const PAIRS: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [list('user'), list('data')],
  [list('kube docker cloud'), list('config conf init')],
  [list('connection conn'), list('string str url uri')],
  [
    list(
      'database db redis mongo mongodb postgres postgresql mysql amqp rabbitmq jdbc smtp sentry',
    ),
    list('url uri'),
  ],
  // Chat services name whoever may post by the path of the URL.
  [list('webhook hook'), list('url uri')],
  [list('recovery backup access verification security'), list('code')],
  [list('snmp'), list('community')],
  [list('account'), list('json')],
  [list('seed'), list('phrase')],
];

/** As the last part they say that the value is about a secret: its name, its age, its place. */
const ABOUT = list(`
  id uuid name type kind count length size limit min max minimum maximum expiration expire expiry exp ttl lifetime age at
  date time since created updated rotated rotation period day hour minute second version mode method status state enabled
  disabled required url uri href link endpoint host hostname port path ref reference policy rule algorithm algo alg format
  encoding fingerprint thumbprint provider realm scope group role user username login email domain description comment
  label region project issuer audience subject claim certificate cert chain ca public pub index left used usage quota
  through rate bit`);

/** A text in one of these may be a whole file of settings with its passwords. */
const HOLDERS = list('config configuration conf cfg');

type Verdict = 'secret' | 'about' | 'plain';

const singular = (part: string): string => (part === 'pass' ? part : part.replace(/s$/, ''));
const withoutDigits = (part: string): string => part.replace(/\d{1,9}$/, '');
const isIn = (set: ReadonlySet<string>, part: string): boolean =>
  set.has(part) || set.has(singular(part)) || set.has(singular(withoutDigits(part)));

/** `DBPassword` → `db`, `password`. What only looks like a Latin letter counts as one. */
function partsOf(name: string): string[] {
  return name
    .normalize('NFKC')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => /[a-z]/.test(part));
}

function judgeParts(parts: readonly string[]): Verdict {
  const last = parts.at(-1);
  if (last === undefined) return 'plain';
  if (isSecretPair(parts)) return 'secret';
  if (isIn(ABOUT, last)) return 'about';
  const isSecret =
    isIn(SECRETS_AT_END, last) ||
    parts.some(isSecretPart) ||
    (hasSecretKey(parts) && !parts.some((part) => isIn(PUBLIC, part)));
  return isSecret ? 'secret' : 'plain';
}

function isSecretPart(part: string): boolean {
  const word = withoutDigits(part);
  return isIn(SECRETS, part) || GLUED.test(word) || GLUED.test(singular(word));
}

function isSecretPair(parts: readonly string[]): boolean {
  return parts.some((part, at) => {
    const next = parts[at + 1];
    return next !== undefined && PAIRS.some(([a, b]) => isIn(a, part) && isIn(b, next));
  });
}

function hasSecretKey(parts: readonly string[]): boolean {
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
  above: readonly string[];
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
const VALUES = list('value val v content data default text string plaintext');

/** A longer text names no variable. */
export const LONGEST_NAMED = 200;

/** Of `{ "name": "DB_PASSWORD", "value": … }`: the fields whose value is the secret. None of any other object. */
export function secretValuesOf(value: object): ReadonlySet<string> {
  const entries = Object.entries(value);
  const isNamed = entries.some(
    ([name, given]: [string, unknown]) =>
      typeof given === 'string' &&
      NAMING.has(name.toLowerCase()) &&
      isSecretField(given.slice(0, LONGEST_NAMED)),
  );
  if (!isNamed) return NONE;
  return new Set(entries.flatMap(([name]) => (isIn(VALUES, name.toLowerCase()) ? [name] : [])));
}

const NONE: ReadonlySet<string> = new Set();
