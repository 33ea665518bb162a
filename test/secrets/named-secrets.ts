import type { KvItem } from '../../src/contract/index.js';
import type { SecretRef } from '../../src/contract/wire/secret-ref.js';
import { provisionInput, WINDOWS_VOLUME } from '../support/inputs/provision-input.js';
import { base64, canary, plainCanary, type Canary } from './canaries.js';
import type { Planted } from './planted-secrets.js';

/** Inputs that name secrets, and what the worker finds under their names. */
export interface Named<T> extends Planted<T> {
  secrets: Record<string, string>;
}

export function namedInstance(): Named<object> {
  const [password, script, configured] = [
    canary('named instance.password'),
    canary('named instance.user_data'),
    canary('named instance.configuration'),
  ];
  const userData = base64(`#cloud-config\npassword: ${script.value}\n`);
  const input = provisionInput();
  const instance = {
    ...input.instance,
    volumes: [WINDOWS_VOLUME],
    password: { $secret: 'vm-login', key: 'password' },
    user_data: { $secret: 'vm-init' },
    configuration: { app: { token: { $secret: 'vm-app' } } },
  };
  return {
    canaries: [password, { ...script, sent: userData }, configured],
    input: { ...input, onBlocked: 'fail', instance },
    secrets: {
      'vm-login': JSON.stringify({ user: 'admin', password: password.value }),
      'vm-init': `${userData}\n`,
      'vm-app': configured.value,
    },
  };
}

export function namedItems(): Named<KvItem[]> {
  const [plain, masked, member] = [
    canary('named plain value'),
    canary('named masked value'),
    canary('named member'),
  ];
  const ref = ($secret: string): { value: SecretRef } => ({ value: { $secret } });
  return {
    canaries: [plain, masked, member],
    input: [
      { op: 'add', key: 'a', datatype: 'kv', payload: ref('kv-plain') },
      { op: 'add', key: 'b', datatype: 'kv', payload: { ...ref('kv-masked'), encoding: 'masked' } },
      { op: 'add', key: 'd', datatype: 'sorted_set', payload: [ref('kv-member')] },
    ],
    secrets: {
      'kv-plain': plain.value,
      'kv-masked': masked.value,
      'kv-member': member.value,
    },
  };
}

const HOST = 'files.example.test';

export function namedVideos(): Named<object[]> {
  const inUrl = (place: string): Canary => {
    const one = canary(place);
    return { ...one, sent: encodeURIComponent(one.value) };
  };
  const [login, poster] = [inUrl('named video: password'), inUrl('named video: poster')];
  const bearer = plainCanary('named video: bearer');
  return {
    canaries: [login, poster, bearer],
    input: [
      { name: 'a', origin_url: { $secret: 'origin' } },
      {
        name: 'b',
        origin_url: `https://${HOST}/b.mp4`,
        origin_http_headers: { $secret: 'header' },
        remote_poster_url: { $secret: 'poster' },
      },
    ],
    secrets: {
      origin: `https://user:${login.sent ?? ''}@${HOST}/a.mp4`,
      header: `Authorization: Bearer ${bearer.value}\n`,
      poster: `https://${HOST}/b.png?sig=${poster.sent ?? ''}`,
    },
  };
}
