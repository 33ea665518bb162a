import { setHandler } from '@temporalio/workflow';

import { keyReplacedSignal } from '../../../contract/messages.js';

/** News about the key of the account, for the parts of a run that wait for another one. */
export interface KeyNews {
  listen(): KeyListener;
}

export interface KeyListener {
  /** Whether the key was replaced since this listener listens. */
  isReplaced: () => boolean;
  close: () => void;
}

export function createKeyNews(): KeyNews {
  let listeners = 0;
  let replaced = 0;
  setHandler(keyReplacedSignal, () => {
    // A run that waits for something else records nothing.
    if (listeners > 0) replaced += 1;
  });
  return {
    listen: () => {
      const before = replaced;
      listeners += 1;
      return {
        isReplaced: () => replaced > before,
        close: () => {
          listeners -= 1;
        },
      };
    },
  };
}
