import { decisionsPage } from './decisions-page.js';
import { failuresPage } from './failures-page.js';
import { keyScopesPage } from './key-scopes-page.js';
import { simulatorPage } from './simulator-page.js';
import { workflowsPage } from './workflows-page.js';

/** The pages that come from the code, at least in part: what each should be, from what it is. */
export const WRITTEN_PAGES: Readonly<Record<string, (page: string) => string>> = {
  'docs/decisions/README.md': decisionsPage,
  'docs/failures.md': failuresPage,
  'docs/key-scopes.md': keyScopesPage,
  'docs/simulator.md': simulatorPage,
  'docs/workflows.md': workflowsPage,
};
