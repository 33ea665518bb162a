import { failuresPage } from './failures-page.js';
import { workflowsPage } from './workflows-page.js';

/** The pages that come from the code, at least in part: what each should be, from what it is. */
export const WRITTEN_PAGES: Readonly<Record<string, (page: string) => string>> = {
  'docs/failures.md': failuresPage,
  'docs/workflows.md': workflowsPage,
};
