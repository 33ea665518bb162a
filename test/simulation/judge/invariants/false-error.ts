import type { SimulatorState } from '../../../../src/simulator/index.js';
import type { Finding } from '../../world/records.js';
import type { Facts } from '../facts/facts.js';
import { findingOf } from './findings.js';

/** `snapshot 4f… in status error`: such a status stays until somebody deletes the thing. */
const BROKEN = /([0-9a-f-]{36}) (?:is )?in status (error|ERROR)\b/g;

/** What a run that failed calls broken was so: one answer that shows it proves nothing. */
export function falseError(facts: Facts): Finding[] {
  return facts.evidence.runs.flatMap((run) => {
    if (run.state !== 'failed') return [];
    const said = [...JSON.stringify(run.failure).matchAll(BROKEN)];
    const sound = said.find(
      ([, id = '', status = '']) =>
        !facts.timeline.states.some(({ cloud }) => shows(cloud, id, status)),
    );
    if (sound === undefined) return [];
    return [findingOf('false error', run, `it failed for ${sound[0]}, which that never was`)];
  });
}

function shows({ instances, volumes, snapshots }: SimulatorState, id: string, status: string) {
  return [...instances, ...volumes, ...snapshots].some(
    (row) => row.id === id && row.status === status,
  );
}
