import type { Command } from 'commander';

import type { Services } from './services.js';
import type { Session } from './session.js';

/** What a command is given to add itself. The session exists once the options are parsed. */
export interface Cli {
  program: Command;
  services: Services;
  session: () => Session;
}
