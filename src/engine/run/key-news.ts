import { anything } from '../core/guards/message-guards.js';
import { keyReplacedSignal } from '../core/messages.js';
import { onSignal } from './on-message.js';

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
  onSignal(keyReplacedSignal, anything, () => {
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
