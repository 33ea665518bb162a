import { StepState } from '../engine/core/status.js';

export type StepTone = 'good' | 'bad' | 'busy' | 'soft';

/** How people see the state of a step at a glance, on a terminal and on a page. */
export const STEP_SIGNS: Record<StepState, { sign: string; tone: StepTone }> = {
  [StepState.planned]: { sign: '·', tone: 'soft' },
  [StepState.sending]: { sign: '→', tone: 'busy' },
  [StepState.accepted]: { sign: '→', tone: 'busy' },
  [StepState.outcomeUnknown]: { sign: '?', tone: 'bad' },
  [StepState.waiting]: { sign: '…', tone: 'busy' },
  [StepState.verified]: { sign: '✓', tone: 'good' },
  [StepState.failed]: { sign: '✗', tone: 'bad' },
  [StepState.undone]: { sign: '↶', tone: 'soft' },
  [StepState.kept]: { sign: '!', tone: 'bad' },
};
