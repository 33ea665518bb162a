import { SECRET_NAMES } from '../contract/wire/secret-names.js';
import { base64, canary, plainCanary, type Canary } from './canaries.js';
import type { Named } from './named-secrets.js';
import type { Planted } from './planted-secrets.js';

/** Each kind of name once: the rest of the table differs by a prefix. */
const NAMES = SECRET_NAMES.filter((name) => /^[\w-]+$/.test(name)).slice(0, 54);

/** The name of the secret at this place of the list. */
const secretAt = (list: string, at: number): string => `${list}-${at}`;

function kept(list: string, canaries: readonly Canary[]): Record<string, string> {
  const values = canaries.map(({ value, sent = value }, at) => [secretAt(list, at), sent] as const);
  return Object.fromEntries(values);
}

/** A call that the API accepts, with a secret under each of 54 names, one of them in base64. */
export function namedCall(): Named<object> {
  const canaries = NAMES.map((name) => canary(`callApi tags.${name}`));
  const encoded = canary('callApi tags.base64');
  const all = [...canaries, { ...encoded, sent: base64(encoded.value) }];
  const tags = [...NAMES, 'encoded'].map((name, at) => {
    return [name, { $secret: secretAt('call', at) }] as const;
  });
  return {
    canaries: all,
    input: { name: 'named', tags: Object.fromEntries(tags) },
    secrets: kept('call', all),
  };
}

/** A call that no API knows, with secrets nested, in lists, in pairs and in URLs. */
export function nestedCall(): Named<object> {
  const places = ['a nested name', 'a list', 'a pair', 'an option', 'a certificate', 'a database'];
  const canaries = places.map((place) => canary(`callApi: ${place}`));
  const url = plainCanary('callApi: a URL');
  const inUrl = { ...url, sent: `https://me:${url.value}@h.example/${url.value}?t=${url.value}` };
  const ref = (at: number) => ({ $secret: secretAt('nested', at) });
  return {
    canaries: [...canaries, inUrl],
    input: {
      members: [{ auth: { basic: { password: ref(0) } } }],
      tokens: [ref(1)],
      env: [{ name: 'DB_PASSWORD', value: ref(2) }],
      args: ['--token', ref(3)],
      tls: { key: ref(4) },
      connection_string: ref(5),
      origin: ref(6),
    },
    secrets: kept('nested', [...canaries, inUrl]),
  };
}

/** Bodies with a secret in clear in each form: none of them may be kept. */
export function clearCalls(): Planted<Record<string, unknown>[]> {
  const named = NAMES.map((name) => plainCanary(`callApi in clear: ${name}`));
  const [nested, pair, listed, option, encoded, login, query, path, text] = [
    ...['nested', 'pair', 'list', 'option', 'base64', 'user info', 'query', 'path', 'text'],
  ].map((form) => plainCanary(`callApi in clear: ${form}`).value);
  const more = [nested, pair, listed, option, encoded, login, query, path, text];
  const values = more.map((value = '') => ({ place: 'callApi in clear', value }));
  return {
    canaries: [...named, ...values],
    input: [
      // A refusal names the first faults only, so each comes alone too.
      ...named.map(({ value }, at) => ({ [NAMES[at] ?? '']: value })),
      Object.fromEntries(named.map(({ value }, at) => [NAMES[at] ?? '', value])),
      { a: [{ credentials: { b: { c: nested } } }] },
      { env: [{ name: 'DB_PASSWORD', value: pair }] },
      { passwords: [listed] },
      { args: ['--password', option] },
      { script: base64(`password=${encoded ?? ''}`) },
      { origin: `https://me:${login ?? ''}@h.example/a` },
      { origin: `https://h.example/a?token=${query ?? ''}` },
      { room: `https://hooks.chat.example/services/T0/${path ?? ''}` },
      { notes: `DB_PASSWORD=${text ?? ''}` },
    ],
  };
}
