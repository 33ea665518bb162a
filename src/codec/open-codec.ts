import { FileFaultError, openFreshFile } from '../files/fresh-file.js';
import { createCodec, type Codec, type CodecOptions } from './codec.js';
import { parseKeyRing, type KeyRing, type KeyRingJson, type Plain } from './key-ring.js';

/** The key ring: a file, which is read again when it changes; its content as text; or as a value. */
export type CodecKeys = { file: string } | { text: string } | KeyRingJson;

export interface OpenCodecOptions extends CodecOptions {
  /** The file has become unusable. The keys before it stay in use. */
  onFault?: (fault: string) => void;
  /** The file has changed; `current` encrypts from now on. */
  onChange?: (ring: Ring) => void;
}

/** What a ring says, without its keys. */
export interface Ring {
  current: string | undefined;
  ids: string[];
  plain: Plain;
}

/**
 * The codec with these keys. Without any, one that encrypts nothing and says what is missing when it meets an
 * encrypted payload.
 * @throws FileFaultError with every fault of the keys
 */
export async function openCodec(
  keys: CodecKeys | undefined,
  { onFault = () => undefined, onChange = () => undefined, ...options }: OpenCodecOptions = {},
): Promise<Codec> {
  if (keys === undefined) return createCodec(undefined, options);
  if (!('file' in keys)) return createCodec(constantStore(keys), options);
  const store = await openFreshFile<KeyRing>({
    file: keys.file,
    parse: parseKeyRing,
    onFault,
    onChange: (ring) => {
      onChange(withoutKeys(ring));
    },
  });
  return createCodec(store, options);
}

function constantStore(keys: { text: string } | KeyRingJson) {
  const parsed = parseKeyRing('text' in keys ? keys.text : JSON.stringify(keys));
  if (!parsed.ok) throw new FileFaultError(parsed.faults);
  return { last: () => parsed.value, look: () => Promise.resolve(parsed.value) };
}

function withoutKeys({ current, keys, plain }: KeyRing): Ring {
  return { current, ids: [...keys.keys()], plain };
}
