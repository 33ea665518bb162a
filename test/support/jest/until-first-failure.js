import ScenarioEnvironment from './scenario-environment.js';

/** Skips the rest of a file after its first failed test: who asks only whether any fails need not wait. */
export default class UntilFirstFailure extends ScenarioEnvironment {
  #hasFailed = false;

  async handleTestEvent(event) {
    const { name, test } = event;
    if (name === 'test_done') this.#hasFailed ||= test.errors.length > 0;
    if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
    await super.handleTestEvent(event);
  }
}
