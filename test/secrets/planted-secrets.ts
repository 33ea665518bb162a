import type { KvItem } from '../../src/contract/index.js';
import { provisionInput, WINDOWS_VOLUME } from '../support/inputs/provision-input.js';
import { base64, canary, plainCanary, type Canary } from './canaries.js';

/** Inputs with a secret in every place where a person may put one. */
export interface Planted<T> {
  canaries: Canary[];
  input: T;
}

export function plantedInstance(): Planted<object> {
  const [password, script, tag, volumeTag] = [
    canary('instance.password'),
    canary('instance.user_data'),
    canary('instance.tags'),
    canary('instance.volumes[0].tags'),
  ];
  const [text, nested, listed] = [
    canary('instance.configuration'),
    canary('instance.configuration.a.b'),
    canary('instance.configuration.list[0]'),
  ];
  const userData = base64(`#cloud-config\npassword: ${script.value}\n`);
  const input = provisionInput();
  return {
    canaries: [password, { ...script, sent: userData }, tag, volumeTag, text, nested, listed],
    input: {
      ...input,
      onBlocked: 'fail',
      instance: {
        ...input.instance,
        password: password.value,
        user_data: userData,
        tags: { note: tag.value },
        configuration: { text: text.value, a: { b: nested.value }, list: [listed.value] },
        volumes: [{ ...WINDOWS_VOLUME, tags: { note: volumeTag.value } }],
      },
    },
  };
}

/** @param where the list of these items: the input or a manifest. */
export function plantedItems(where: string): Planted<KvItem[]> {
  const [plain, masked, encoded, member, maskedMember, filtered, removed] = [
    canary(`${where}: plain value`),
    canary(`${where}: masked value`),
    canary(`${where}: base64 value`),
    canary(`${where}: member`),
    canary(`${where}: masked member`),
    canary(`${where}: value of a filter`),
    canary(`${where}: removed member`),
  ];
  const sent = base64(encoded.value);
  return {
    canaries: [plain, masked, { ...encoded, sent }, member, maskedMember, filtered, removed],
    input: [
      { op: 'add', key: 'a', datatype: 'kv', payload: { value: plain.value } },
      { op: 'add', key: 'b', datatype: 'kv', payload: { value: masked.value, encoding: 'masked' } },
      { op: 'add', key: 'c', datatype: 'kv', payload: { value: sent, encoding: 'base64' } },
      {
        op: 'add',
        key: 'd',
        datatype: 'sorted_set',
        payload: [{ value: member.value }, { value: maskedMember.value, encoding: 'masked' }],
      },
      { op: 'add', key: 'e', datatype: 'bloom_filter', payload: [{ value: filtered.value }] },
      { op: 'del_entries', key: 'f', datatype: 'sorted_set', payload: [{ value: removed.value }] },
    ],
  };
}

const HOST = 'files.example.test';

/** Videos of a manifest; a list in the input may hold no credentials. */
export function plantedVideos(): Planted<object[]> {
  const inUrl = (place: string) => {
    const one = canary(place);
    return { ...one, sent: encodeURIComponent(one.value) };
  };
  const [login, signature, token, fragment, poster, posterSignature] = [
    inUrl('video.origin_url: password'),
    inUrl('video.origin_url: signature'),
    inUrl('video.origin_url: security token'),
    inUrl('video.origin_url: fragment'),
    inUrl('video.remote_poster_url: password'),
    inUrl('video.remote_poster_url: signature'),
  ];
  const [bearer, basic, cookie, header] = [
    plainCanary('video.origin_http_headers: bearer'),
    plainCanary('video.origin_http_headers: basic'),
    plainCanary('video.origin_http_headers: cookie'),
    plainCanary('video.origin_http_headers: own header'),
  ];
  const credentials = base64(`user:${basic.value}`);
  const aws = `X-Amz-Signature=${signature.sent}&X-Amz-Security-Token=${token.sent}`;
  return {
    canaries: [
      ...[login, signature, token, fragment, poster, posterSignature],
      ...[bearer, { ...basic, sent: credentials }, cookie, header],
    ],
    input: [
      { name: 'a', origin_url: `sftp://user:${login.sent}@${HOST}/a.mp4` },
      { name: 'b', origin_url: `https://${HOST}/b.mp4?${aws}` },
      { name: 'c', origin_url: `https://${HOST}/c.mp4#token=${fragment.sent}` },
      {
        name: 'd',
        origin_url: `https://${HOST}/d.mp4`,
        remote_poster_url: `https://user:${poster.sent}@${HOST}/d.png`,
        origin_http_headers: `Authorization: Bearer ${bearer.value}`,
      },
      {
        name: 'e',
        origin_url: `https://${HOST}/e.mp4`,
        remote_poster_url: `https://${HOST}/e.png?sig=${posterSignature.sent}`,
        origin_http_headers: `Authorization: Basic ${credentials}`,
      },
      {
        name: 'f',
        origin_url: `https://${HOST}/f.mp4`,
        origin_http_headers: `Cookie: session=${cookie.value}; theme=dark`,
      },
      {
        name: 'g',
        origin_url: `https://${HOST}/g.mp4`,
        origin_http_headers: `X-Token: ${header.value}`,
      },
    ],
  };
}

/** Videos that the command line refuses, because the history would store what they hold. */
export function refusedVideos(): Planted<object[]> {
  const [login, signature, header, poster, posterSignature] = [
    plainCanary('inline origin_url: password'),
    plainCanary('inline origin_url: signature'),
    plainCanary('inline origin_http_headers'),
    plainCanary('inline remote_poster_url: password'),
    plainCanary('inline remote_poster_url: signature'),
  ];
  const origin = `https://${HOST}/a.mp4`;
  return {
    canaries: [login, signature, header, poster, posterSignature],
    input: [
      { name: 'a', origin_url: `https://user:${login.value}@${HOST}/a.mp4` },
      { name: 'b', origin_url: `${origin}?X-Amz-Signature=${signature.value}` },
      { name: 'c', origin_url: origin, origin_http_headers: `X-Token: ${header.value}` },
      {
        name: 'd',
        origin_url: origin,
        remote_poster_url: `https://user:${poster.value}@${HOST}/d.png`,
      },
      {
        name: 'e',
        origin_url: origin,
        remote_poster_url: `https://${HOST}/e.png?sig=${posterSignature.value}`,
      },
    ],
  };
}
