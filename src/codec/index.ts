/** Encrypts the payloads of runs; see docs/secure.md. */
export type { Codec } from './codec.js';
export { toDataConverter } from './data-converter.js';
export { DecryptionError } from './decryption-error.js';
export { openCodec, type CodecEvents, type CodecKeys } from './open-codec.js';
