import { TestEnvironment } from 'jest-environment-node';

/** Skips the rest of a file after its first failed test: who asks only whether any fails need not wait. */
export default class UntilFirstFailure extends TestEnvironment {
  #hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_done') this.#hasFailed ||= test.errors.length > 0;
    if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
  }
}
