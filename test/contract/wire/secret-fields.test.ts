import { describe, expect, it } from '@jest/globals';

import {
  isSecretField,
  isSecretPath,
  secretValuesOf,
} from '../../../src/contract/wire/secret-fields.js';
import { hideSecretsIn, holdsSecret } from '../../../src/contract/wire/secret-texts.js';
import { PLAIN_NAMES, SECRET_NAMES } from './secret-names.js';
import { leastCpuMs } from '../../support/timing/least-cpu-ms.js';

describe('the table of secret names', () => {
  it('knows each of many names', () => {
    expect(SECRET_NAMES.length).toBeGreaterThan(110);
    expect(SECRET_NAMES.filter((name) => !isSecretField(name))).toEqual([]);
  });

  it('knows no name that only looks like one', () => {
    expect(PLAIN_NAMES.length).toBeGreaterThan(80);
    expect(PLAIN_NAMES.filter(isSecretField)).toEqual([]);
  });

  it.each(['', '_', '42', '***', 'x'.repeat(100_000), 'A'.repeat(100_000), '_a'.repeat(50_000)])(
    'takes any text for a name (%#)',
    async (name) => {
      expect(isSecretField(name)).toBe(false);
      expect(await leastCpuMs(1_000, () => isSecretField(name))).toBeLessThan(1_000);
    },
  );
});

describe('a path', () => {
  it.each([
    ['password', '0'],
    ['config'],
    ['results', '0', 'config'],
    ['secret', 'value'],
    ['credentials', 'users', '3', 'x'],
    ['tls', 'key'],
    ['tls', '0', 'key'],
    ['api', 'key'],
    ['auth', 'basic', 'word'],
  ])('to a secret is %s %s %s %s', (...path) => {
    expect(isSecretPath(path)).toBe(true);
  });

  it.each([
    ['config', 'replicas'],
    ['secret', 'name'],
    ['secrets', '0', 'id'],
    ['auth', 'type'],
    ['token', 'expiration'],
    ['results', '0', 'name'],
    ['network', 'key'],
  ])('to none is %s %s %s', (...path) => {
    expect(isSecretPath(path)).toBe(false);
  });
});

describe('a pair of name and value', () => {
  it.each([
    [{ name: 'DB_PASSWORD', value: 'x' }, ['value']],
    [{ key: 'api-key', values: ['x'] }, ['values']],
    [{ Name: 'X-Auth-Token', Value: 'x', type: 'env' }, ['Value']],
    [{ header_name: 'Authorization', header_value: 'x' }, ['header_value']],
    [{ envName: 'DB_PASSWORD', envValue: 'x', text: 'y' }, ['envValue', 'text']],
    [{ variable_name: 'DB_PASSWORD', value: 'x' }, ['value']],
    [{ label: 'password', content: 'x' }, ['content']],
    [{ id: 'password', value: 'x' }, ['value']],
    [{ type: 'password', title: 'Log in', value: 'x' }, ['value']],
    [{ op: 'add', path: '/spec/auth/password', value: 'x' }, ['value']],
    [{ kind: 'Secret', metadata: { name: 'a' }, stringData: { a: 'x' } }, ['data', 'stringData']],
    [{ kind: 'ConfigMap', data: { a: 'x' } }, []],
    [{ op: 'add', path: '/spec/replicas', value: 'x' }, []],
    [{ image_name: 'auth', value: 'x' }, []],
    [{ keyName: 'a', otherValue: 'x' }, []],
    [{ name: 'DB_HOST', value: 'x' }, []],
    [{ name: 'secret_name', value: 'x' }, []],
    [{ value: 'x' }, []],
  ])('%j has the secrets %j', (pair, secrets) => {
    expect([...secretValuesOf(pair)]).toEqual(secrets);
  });
});

const inJson = (text: string) => JSON.stringify({ a: text });

const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n-----END OPENSSH PRIVATE KEY-----`;

describe('a text', () => {
  it.each([
    ['an assignment', 'run --db-pass=canary-1'],
    ['an assignment of a variable', 'A=1\nexport DB_PASSWORD="canary 1"\nB=2'],
    ['JSON', '{"adminPass":"canary-1"}'],
    ['JSON within JSON', '{"a":"{\\"secret_key\\":\\"canary-1\\"}"}'],
    ['YAML', 'users:\n  - name: x\n    passwd: canary-1\n'],
    ['the password of a URL', 'postgres://me:canary@db.example/x'],
    ['the URL of a chat room', 'https://hooks.slack.example/services/T0/B0/canary'],
    ['the URL of another chat room', 'https://chat.example/api/webhooks/17/canary'],
    ['a private key', KEY],
    ['a bearer token', 'Bearer canary-1234567'],
    ['a JSON Web Token', 'eyJhbGciOiJI.eyJzdWIiOiIx.canary'],
    ['the key of another service', 'ghp_canary0123456789canary0123456789xyz'],
    ['a narrow key of it', 'github_pat_canary0123456789canary0123456789xyz'],
    ['a key of a payment service', 'sk_live_canary0123456789abcd'],
    ['a key of a file', 'AGE-SECRET-KEY-1canary0123456789ABCDEFGHIJ'],
    ['the hash of a password', 'root:$6$rounds=4096$canary$0123456789abcdefghij'],
    ['an option', 'mysql --user app --password canary-1 --host db'],
    ['JSON within JSON within JSON', inJson(inJson(inJson('{"db_pass":"canary-1"}')))],
    ['an element of XML', '<db><password>canary-1</password></db>'],
    ['an element with attributes', '<db:password kind="x">\n  canary-1\n</db:password>'],
    ['an attribute', '<db user="a" password="canary-1"/>'],
    ['a name beside its value in XML', '<add key="DbPassword" value="canary-1"/>'],
    ['a list of properties', '<key>password</key>\n<string>canary-1</string>'],
    ['a name beside its value in JSON', '{"env":[{"name":"DB_PASSWORD","value":"canary-1"}]}'],
    ['a name beside its value in YAML', 'env:\n  - name: DB_PASSWORD\n    value: canary-1\n'],
    ['the user of curl', 'curl -s -u me:canary-1 https://a.example'],
    ['the user of curl, in quotes', "curl --user 'me:canary 1' https://a.example"],
    ['an option of mysql', 'mysqldump -u root -pcanary-1 shop'],
    ['an option on the next line', 'curl -s \\\n  -u me:canary-1 https://a.example'],
    ['options of two commands', 'mysql -pcanary-1 && curl -u me:canary-2 https://a.example'],
    ['an option of docker', 'docker login -u me -p canary-1'],
    ['an option of sshpass', 'sshpass -p canary-1 ssh a.example'],
    ['SQL', "CREATE USER me IDENTIFIED BY 'canary-1'"],
    ['SQL of another kind', "ALTER ROLE me WITH PASSWORD 'canary-1'"],
    ['a Dockerfile', 'FROM a\nENV DB_PASSWORD canary-1\n'],
    ['SQL in double quotes', 'ALTER ROLE me WITH PASSWORD "canary-1"'],
    ['a name in brackets', "$db['password'] = 'canary-1';"],
    ['a form', 'user[name]=me&user[password]=canary-1'],
    ['a form as it is sent', 'user%5Bname%5D=me&user%5Bpassword%5D=canary-1'],
    ['an assignment that counts once', 'DB_PASSWORD ?= canary-1'],
    ['an option with one dash', 'Connect-Server -Name a -Password canary-1'],
    ['a setting of Apache', 'SetEnv DB_PASSWORD canary-1'],
    ['a setting of nginx', 'fastcgi_param DB_PASSWORD canary-1;'],
    ['a setting of Redis', 'port 6379\nrequirepass canary-1'],
    ['a constant of PHP', "define('DB_PASSWORD', 'canary-1');"],
    ['a property of Java', 'props.setProperty("db.password", "canary-1");'],
    ['a pipe to chpasswd', 'echo "root:canary-1" | sudo chpasswd'],
    ['a text for chpasswd', 'chpasswd <<EOF\nroot:canary-1\nEOF'],
    ['a database of a program in Go', 'app:canary-1@tcp(db.example:3306)/shop'],
    ['a file of logins', 'machine a.example login me password canary-1'],
    ['a key of another form', '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\ncanary\n'],
    ['a key of PuTTY', 'PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\ncanary\n'],
    ['the token of a registry', 'dckr_pat_canary0123456789canary01'],
    ['the token of a bot', '123456789:AAcanary0123456789canary0123456789abcd'],
  ])('with %s is refused, and shows as none, also in base64', (_what, text) => {
    expect(holdsSecret(text)).toBe(true);
    expect(holdsSecret(Buffer.from(text).toString('base64'))).toBe(true);
    expect(hideSecretsIn(text)).not.toContain('canary');
    expect(hideSecretsIn(text)).toContain('***');
  });

  it.each([
    ['in lines', (encoded: string) => encoded.replaceAll(/(.{64})/g, '$1\n')],
    ['as a URL', (encoded: string) => `data:text/plain;charset=utf-8;base64,${encoded}`],
  ])('is refused in base64 %s', (_how, wrap) => {
    const long = Buffer.from(`${'# settings\n'.repeat(20)}password=canary`).toString('base64');

    expect(holdsSecret(wrap(long))).toBe(true);
  });

  it.each([
    'a plain description: with a colon',
    'tool --token-type jwt --no-password --author anna',
    'a --password',
    '$1$2',
    'https://files.example/a.mp4?version=3',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFzD anna@example',
    'DB_PASSWORD=$DB_PASSWORD',
    'password: {{ vault }}',
    'auth: none',
    'author=anna, key_name=main',
    '12:30 to 14:00',
    'VGhpcyBpcyBhIHBsYWluIHRleHQ=',
    '<key>region</key><string>eu</string>',
    '<p class="a">the password</p><password/>',
    'https://a.example/hooks/<account>/<token> of the account',
    '- name: DB_HOST\n  value: db.example',
    'docker run -u 1000:1000 -p 80:80 a',
    'mysql -u root -p shop',
    'curl -u $USER:$PASSWORD -p https://a.example',
    "curl -u '' https://a.example",
    'ssh -p 2222 me@a.example',
    'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: b',
    'kind: SecretStore\nspec: {}',
    'ENV PATH /usr/bin',
    'the fields "password", "name"',
    "t('name', 'password')",
    'ls -l -a --all | grep -v token',
    'tool -key-name main -o pipefail',
    'a list[0] = 1, map["name"] = 2',
    'app@tcp(db.example:3306)/shop',
    'printf a | chpasswd',
  ])('without one is taken: %j', (text) => {
    expect(holdsSecret(text)).toBe(false);
  });

  it('costs little, however many names it has', async () => {
    const names = Array.from({ length: 40_000 }, (_, at) => `aBcDeFgHiJkLmNo${at}=1`).join(' ');

    expect(holdsSecret(names)).toBe(false);
    expect(await leastCpuMs(500, () => holdsSecret(names))).toBeLessThan(500);
  });

  it.each([
    ...['<a>', '<a ', '<key>a</key>', 'name: a\n', 'name: a value: ', ' -u a:b', ' -p'],
    ...['curl -u a', 'ENV a ', "password 'a", '"'.repeat(90), '\\'.repeat(90), 'login a '],
    ...['(" ', '("a",', '|chpasswd ', ':a|chpasswd', 'chpasswd <<a', ':@tcp(', '%5D', ']', ' -a'],
    ...['-', '--a ', '--a     ', 'a=', '$6$', 'QUFB\n', 'sk-proj-', ' ', 'a://b@'],
  ])('costs as much as its bytes: %j, again and again', async (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    const search = () => [hideSecretsIn(text), holdsSecret(text)];

    expect(await leastCpuMs(500, search)).toBeLessThan(500);
  });
});
