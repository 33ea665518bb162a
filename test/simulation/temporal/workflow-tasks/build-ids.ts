import type { temporal } from '@temporalio/proto';

import { fromPayload, toPayload } from '../base/values.js';
import type { Execution } from '../model/execution.js';

type Stamp = temporal.api.common.v1.IWorkerVersionStamp;

const NAME = 'BuildIds';
const UNVERSIONED = 'unversioned';

/** Keeps which build has worked on a run. The server shows it as a search attribute that no event tells of. */
export function noteBuild(execution: Execution, stamp: Stamp | null | undefined): void {
  const buildId = stamp?.buildId ?? '';
  if (buildId === '' || stamp?.useVersioning === true) return;
  const before = fromPayload(execution.searchAttributes[NAME]);
  const known: unknown[] = Array.isArray(before) ? before : [UNVERSIONED];
  const build = `${UNVERSIONED}:${buildId}`;
  if (known.includes(build)) return;
  execution.searchAttributes = {
    ...execution.searchAttributes,
    [NAME]: toPayload([...known, build], 'KeywordList'),
  };
}
