import { describe, expect, it } from '@jest/globals';

import {
  isSecretField,
  isSecretPath,
  secretValuesOf,
} from '../../../src/contract/wire/secret-fields.js';
import { hideSecretsIn, holdsSecret } from '../../../src/contract/wire/secret-texts.js';
import { PLAIN_NAMES, SECRET_NAMES } from './secret-names.js';

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
    (name) => {
      const began = process.cpuUsage();

      expect(isSecretField(name)).toBe(false);
      expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
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
    [{ image_name: 'auth', value: 'x' }, []],
    [{ keyName: 'a', otherValue: 'x' }, []],
    [{ name: 'DB_HOST', value: 'x' }, []],
    [{ name: 'secret_name', value: 'x' }, []],
    [{ value: 'x' }, []],
  ])('%j has the secrets %j', (pair, secrets) => {
    expect([...secretValuesOf(pair)]).toEqual(secrets);
  });
});

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
  ])('without one is taken: %j', (text) => {
    expect(holdsSecret(text)).toBe(false);
  });

  it.each(['-', '--a ', '--a     ', 'a=', '$6$', 'QUFB\n', 'sk-proj-', ' ', 'a://b@'])(
    'costs as much as its bytes: %j, again and again',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length);
      const began = process.cpuUsage();

      hideSecretsIn(text);
      holdsSecret(text);

      expect(process.cpuUsage(began).user).toBeLessThan(500_000);
    },
  );
});
