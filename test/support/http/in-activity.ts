import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

type Info = ConstructorParameters<typeof MockActivityEnvironment>[0];

/** An activity context that writes no log. */
export function createActivityEnvironment(info: Info = {}): MockActivityEnvironment {
  // The SDK's own default is in 1970: what reads the clock of the server would be 56 years off.
  const scheduled = { currentAttemptScheduledTimestampMs: Date.now() };
  return new MockActivityEnvironment(
    { ...scheduled, ...info },
    { logger: new DefaultLogger('ERROR') },
  );
}

/** Runs `act` as the body of an activity. */
export function inActivity<T>(
  act: () => Promise<T>,
  environment: MockActivityEnvironment = createActivityEnvironment(),
): Promise<T> {
  return environment.run<[], T, () => Promise<T>>(act);
}

/** Returns what `act` throws; fails when `act` returns. */
export async function thrownBy(act: () => Promise<unknown>): Promise<unknown> {
  const outcome = await act().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error(`The activity should throw, but returned ${JSON.stringify(outcome.value)}`);
}

/** Returns the failure that an activity ends with. */
export async function failureIn(
  act: () => Promise<unknown>,
  environment?: MockActivityEnvironment,
): Promise<ApplicationFailure> {
  const error = await thrownBy(() => inActivity(act, environment));
  if (error instanceof ApplicationFailure) return error;
  throw new Error('The activity threw an error that is not an ApplicationFailure', {
    cause: error,
  });
}
