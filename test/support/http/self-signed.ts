import { generateKeyPairSync, sign } from 'node:crypto';

const HOUR_MS = 3_600_000;
/** Object identifiers in DER: ecdsa-with-SHA256 and commonName. */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;

/** Creates a key and a self-signed certificate (X.509 v1). Node can sign but cannot create certificates. */
export function createSelfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
  const commonName = der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from('localhost')));
  const name = der(SEQUENCE, der(SET, commonName));
  const body = der(
    SEQUENCE,
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    der(SEQUENCE, utcTime(Date.now() - HOUR_MS), utcTime(Date.now() + HOUR_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey));
  const certificate = der(SEQUENCE, body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  };
}

/** Tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const short = length < 128 ? [length] : [0x81, length];
  const size = length < 256 ? short : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function utcTime(timeMs: number): Buffer {
  const digits = new Date(timeMs).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return der(UTC_TIME, Buffer.from(digits.slice(2)));
}
