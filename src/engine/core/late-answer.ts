/** The header of a local activity: the time of the run that asks, in milliseconds since the epoch. */
export const ASKED_AT_HEADER = 'asked-at';

/** The answer of a local activity that comes long after the time of its run. */
export interface LateAnswer {
  readonly isLateAnswer: true;
  readonly answer: unknown;
}

export function isLateAnswer(answer: unknown): answer is LateAnswer {
  return answer instanceof Object && 'isLateAnswer' in answer && answer.isLateAnswer === true;
}
