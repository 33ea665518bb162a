import type { CommandOutline } from './outline.js';

/** The build puts the outlines of the commands here (packaging/write-command-line.js). Before, they are read from the commands. */
export const OUTLINES: readonly CommandOutline[] | undefined = undefined;
