/** Key pairs in the two forms of OpenSSH. Node.js writes neither of them. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';

const TYPE = 'ssh-ed25519';
const PUBLIC_KEY = /^\s*(?:ssh|ecdsa-sha2|sk-ssh|sk-ecdsa-sha2)-\S+\s+([\w+/]+=*)(?:\s|$)/;

export interface SshKeyPair {
  publicKey: string;
  privateKey: string;
}

/** A new Ed25519 key pair: a line for `authorized_keys`, and the text of a private key file. */
export function createSshKeyPair(): SshKeyPair {
  const pair = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const point = Buffer.from(pair.x ?? '', 'base64url');
  const seed = Buffer.from(pair.d ?? '', 'base64url');
  const publicBlob = Buffer.concat([field(TYPE), field(point)]);
  return {
    publicKey: `${TYPE} ${publicBlob.toString('base64')}`,
    privateKey: toPem(privateBlob(publicBlob, { point, seed })),
  };
}

/** MD5 as pairs of hex digits, such as `c1:b1:30:…`; null when the text is no public key. */
export function fingerprintOf(publicKey: string): string | null {
  const encoded = PUBLIC_KEY.exec(publicKey)?.[1];
  if (encoded === undefined) return null;
  const digest = createHash('md5').update(Buffer.from(encoded, 'base64')).digest('hex');
  return digest.match(/../g)?.join(':') ?? null;
}

/** The format `openssh-key-v1`, without a passphrase. */
function privateBlob(
  publicBlob: Buffer,
  { point, seed }: Record<'point' | 'seed', Buffer>,
): Buffer {
  const check = randomBytes(4);
  const secret = Buffer.concat([
    check,
    check,
    publicBlob,
    field(Buffer.concat([seed, point])),
    field(''),
  ]);
  const padding = Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, index) => index + 1);
  return Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    uint32(1),
    field(publicBlob),
    field(Buffer.concat([secret, Buffer.from(padding)])),
  ]);
}

function toPem(blob: Buffer): string {
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? [];
  return [
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    ...lines,
    '-----END OPENSSH PRIVATE KEY-----',
    '',
  ].join('\n');
}

function field(value: string | Buffer): Buffer {
  const octets = Buffer.from(value);
  return Buffer.concat([uint32(octets.length), octets]);
}

function uint32(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  return octets;
}
