/** Encrypts the payloads of runs; see docs/secure.md. */
export type { Codec } from './codec.js';
export { toDataConverter } from './data-converter.js';
export { DecryptionError } from './decryption-error.js';
export { openCodec, type CodecKeys, type OpenCodecOptions } from './open-codec.js';
