import { MUTATIONS, type Mutation } from './mutations.js';
import { MUTATIONS_OF_LOOKS } from './mutations-of-looks.js';

export const ALL_MUTATIONS: readonly Mutation[] = [...MUTATIONS, ...MUTATIONS_OF_LOOKS];
