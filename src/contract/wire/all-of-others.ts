/**
 * Stands for the ids of all videos under a marker of the caller: in the look before the first call they are of others.
 *
 * Free of zod, so workflow code may import its values.
 */
export const ALL_OF_OTHERS = 'all';
