import type { Command } from 'commander';

import type { Services } from './services.js';
import type { Session } from './session.js';

/** What a command needs to register itself. `session` works once the options are parsed. */
export interface Cli {
  program: Command;
  services: Services;
  session: () => Session;
}
