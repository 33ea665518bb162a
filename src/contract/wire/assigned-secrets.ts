/** Where a text gives a value to the name of a secret. Each pattern needs linear time. */
import { isSecretField } from './secret-fields.js';

/** Where the value of a secret begins and ends. */
export interface Assigned {
  from: number;
  to: number;
}

/** JSON within JSON within JSON has seven of them before a quote. */
const QUOTES = String.raw`(?:(?<!["'\\])["'\\]{1,80})?`;

/** Between a name and its value: `user[password]=`, `x['password'] =`, also in a form. A space is enough behind an option. */
const ASSIGNING = new RegExp(
  String.raw`${QUOTES}(?:\]|%5D)?\s{0,5}[?+]?[:=：＝]\s{0,5}\\{0,80}|(?<=[\w-])\s{1,5}(?<=(?<![\w-])-[\w-]{1,80}\s{1,5})(?=[^\s-])`,
  'gi',
);
const ASSIGNED = /"[^"]*"?|'[^']*'?|[^\s"',;)}\]]+/y;
const LONGEST_NAME = 80;

/** `password=…`, `"token": "…"`, `DB_PASS: …`. */
function* assignedIn(text: string): Generator<Assigned> {
  const isSecret = judgeOnce();
  for (let at = 0; ;) {
    // Others may have looked since, while this one was asked for no more.
    ASSIGNING.lastIndex = at;
    const found = ASSIGNING.exec(text);
    if (found === null) return;
    at = ASSIGNING.lastIndex;
    const value = isSecret(nameBefore(text, found.index)) ? valueAt(text, at) : undefined;
    if (value === undefined) continue;
    yield value;
    at = value.to;
  }
}

function valueAt(text: string, from: number): Assigned | undefined {
  ASSIGNED.lastIndex = from;
  const to = from + (ASSIGNED.exec(text)?.[0].length ?? 0);
  return to === from ? undefined : { from, to };
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

const OF_NAMES = /[\p{L}\p{N}_.-]/u;
const ASCII_OF_NAMES = /[A-Za-z0-9_.-]/;

function nameBefore(text: string, end: number): string {
  let from = end;
  while (from > 0 && end - from < LONGEST_NAME && isOfName(text[from - 1] ?? '')) from -= 1;
  return text.slice(from, end);
}

function isOfName(sign: string): boolean {
  return sign < '\u0080' ? ASCII_OF_NAMES.test(sign) : OF_NAMES.test(sign);
}

/** `name: DB_PASSWORD` and then `value: …`, as YAML, as JSON and as attributes of XML. */
const PAIR =
  /(?:name|key|title|label|variable|param|parameter|option)["'\\]{0,9}\s{0,5}[:=]\s{0,5}["'\\]{0,9}(?<name>[\w.-]{1,80})["'\\]{0,9}[\s,]{1,80}["'\\]{0,9}\w{0,20}(?:value|content|data)["'\\]{0,9}\s{0,5}[:=]\s{0,5}\\{0,9}(?<value>"[^"]*"?|'[^']*'?|[^\s"',;)}\]]+)/gi;

/** `<password>…</password>`, `<db:password type="x">…` */
const ELEMENT = /<(?<name>[\w:.-]{1,80})(?:\s[^<>]{0,200})?>\s{0,80}(?<value>[^\s<][^<]*)(?=<\/)/g;

/** `<key>password</key><string>…` */
const PLIST =
  /<(?:key|name)>\s{0,80}(?<name>[\w.-]{1,80})\s{0,80}<\/(?:key|name)>\s{0,80}<\w{1,80}>(?<value>[^<]+)/g;

/** Of a Dockerfile, of Windows, and of web servers. */
const ENV =
  /(?<![\w-])(?:ENV|ARG|setx|[Ss]et[Ee]nv|fastcgi_param)[ \t]{1,5}(?<name>[\w.-]{1,80})[ \t]{1,5}(?<value>\S+)/g;

/** `define('DB_PASSWORD', '…')`, `setProperty("password", "…")` */
const CALL = /\(\s{0,5}["'](?<name>[\w.-]{1,80})["']\s{0,5},\s{0,5}(?<value>"[^"]*"?|'[^']*'?)/g;

function* besideNames(text: string, pattern: RegExp): Generator<Assigned> {
  const isSecret = judgeOnce();
  for (const { 0: found, groups, index } of text.matchAll(pattern)) {
    if (!isSecret(groups?.['name'] ?? '')) continue;
    // The value is its end: to ask for all places takes as long as to find them.
    const to = index + found.length;
    yield { from: to - (groups?.['value'] ?? '').length, to };
  }
}

/** Of SQL, of a file `.netrc`, and of Redis. */
const STATEMENT =
  /\b(?:identified\s{1,5}(?:with\s{1,5}\w{1,80}\s{1,5})?(?:by|as)(?:\s{1,5}password)?|password)\s{1,5}(?<value>'[^']+'?|"[^"]+"?)|\b(?:login\s{1,5}\S{1,80}\s{1,5}password|requirepass|masterauth)\s{1,5}(?<word>\S+)/dgi;

/** `echo root:… | chpasswd`, and `chpasswd <<< root:…` */
const PIPED =
  /(?<=:(?<value>[^\s|"'`]{1,200})["']?\s{0,5}\|\s{0,5}(?:sudo\s{1,5})?)chpasswd\b|\bchpasswd\s{1,5}<<[<-]?[^\n:]{0,80}\n?[^\n:]{0,80}:(?<word>[^\s"']+)/dg;

/** `me:…@tcp(host:3306)/db`, of programs in Go. */
const DSN = /(?<=:(?<value>[^\s:@/"'`]{1,200}))@(?:tcp|unix)\(/dg;

function* plainMatches(text: string, pattern: RegExp): Generator<Assigned> {
  for (const { indices } of text.matchAll(pattern)) {
    const [from, to] = indices?.groups?.['value'] ?? indices?.groups?.['word'] ?? [0, 0];
    yield { from, to };
  }
}

/** A line goes on behind a backslash. */
const LINES = /(?:[^\n\\]|\\\r?\n|\\)+/g;

/** The commands whose short option takes a password. */
const COMMANDS: readonly (readonly [command: RegExp, option: RegExp])[] = [
  [
    /\b(?:curl|wget)\b/,
    /(?<=\s)(?:-[uU]|--(?:proxy-)?user)[ =]{0,2}(?<value>(["']?)[^\s"':$]{0,80}:[^\s"'$][^\n"']{0,200}\2)/dg,
  ],
  [/\b(?:mysql|mariadb)/, /(?<=\s)-p(?<value>[^\s$]\S{0,200})/dg],
  [
    /\b(?:sshpass|(?:docker|podman|helm|az|oras)\b.{0,80}\blogin)\b/,
    /(?<=\s)-p ?(?<value>[^\s$-]\S{0,200})/dg,
  ],
];

/** `curl -u me:…`, `mysql -p…`, `docker login -p …` */
function* optionsOf(
  text: string,
  [command, option]: (typeof COMMANDS)[number],
): Generator<Assigned> {
  for (const { 0: line, index } of text.matchAll(LINES)) {
    const start = line.search(command);
    if (start === -1) continue;
    for (const { from, to } of plainMatches(line.slice(start), option))
      yield { from: index + start + from, to: index + start + to };
  }
}

/** The values that a text gives to secret names in one form, in order. */
export interface Finder {
  /** No text without it has any: to ask for this is far cheaper than to look. */
  sign: RegExp;
  find: (text: string) => Iterable<Assigned>;
}

const besideName = (sign: RegExp, form: RegExp): Finder => ({
  sign,
  find: (text) => besideNames(text, form),
});

const plainly = (sign: RegExp, form: RegExp): Finder => ({
  sign,
  find: (text) => plainMatches(text, form),
});

/** Each form of programs, documents and commands. */
export const FINDERS: readonly Finder[] = [
  { sign: /[:=：＝]|(?<![\w-])-[\w-]{1,80}\s/, find: assignedIn },
  besideName(/(?:value|content|data)["'\\\s]{0,20}[:=]/i, PAIR),
  besideName(/<\//, ELEMENT),
  besideName(/<\/(?:key|name)>/, PLIST),
  besideName(/(?:ENV|ARG|setx|et[Ee]nv|fastcgi_param)[ \t]/, ENV),
  besideName(/["']\s{0,5},/, CALL),
  plainly(/identified\s|password\s|requirepass|masterauth/i, STATEMENT),
  plainly(/chpasswd/, PIPED),
  plainly(/@(?:tcp|unix)\(/, DSN),
  ...COMMANDS.map((one): Finder => ({ sign: one[0], find: (text) => optionsOf(text, one) })),
];
