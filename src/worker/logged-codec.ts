import type { Logger } from '@temporalio/common';

import type { Codec } from '../codec/codec.js';
import { openCodec, type CodecKeys } from '../codec/open-codec.js';

/** The codec of a process that runs for long: its log says when the key ring changes, or cannot be used. */
export function openLoggedCodec(keys: CodecKeys | undefined, logger: Logger): Promise<Codec> {
  return openCodec(keys, {
    onFault: (fault) => {
      logger.error('The key ring cannot be used; the keys before it stay in use', { fault });
    },
    onChange: ({ current, ids, plain }) => {
      const encryptsWith = current ?? 'none: new payloads stay in clear';
      logger.info('The key ring was read again', { encryptsWith, ids, plain });
    },
  });
}
