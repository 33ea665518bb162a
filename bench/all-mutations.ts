import type { Mutation } from './mutation.js';
import { MUTATIONS } from './mutations.js';
import { MUTATIONS_OF_GATEWAY } from './mutations-of-gateway.js';
import { MUTATIONS_OF_HTTP } from './mutations-of-http.js';
import { MUTATIONS_OF_INPUTS } from './mutations-of-inputs.js';
import { MUTATIONS_OF_LISTS } from './mutations-of-lists.js';
import { MUTATIONS_OF_LOOKS } from './mutations-of-looks.js';
import { MUTATIONS_OF_PAYLOADS } from './mutations-of-payloads.js';
import { MUTATIONS_OF_STATUS } from './mutations-of-status.js';
import { MUTATIONS_OF_TURNS } from './mutations-of-turns.js';
import { MUTATIONS_OF_WORKERS } from './mutations-of-workers.js';

export const ALL_MUTATIONS: readonly Mutation[] = [
  ...MUTATIONS,
  ...MUTATIONS_OF_GATEWAY,
  ...MUTATIONS_OF_HTTP,
  ...MUTATIONS_OF_INPUTS,
  ...MUTATIONS_OF_LISTS,
  ...MUTATIONS_OF_LOOKS,
  ...MUTATIONS_OF_PAYLOADS,
  ...MUTATIONS_OF_STATUS,
  ...MUTATIONS_OF_TURNS,
  ...MUTATIONS_OF_WORKERS,
];
