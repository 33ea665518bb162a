import { TestEnvironment } from 'jest-environment-node';

/** Closes what the scenarios of a test file share, after its last hook: no file has to think of it. */
export default class ScenarioEnvironment extends TestEnvironment {
  async handleTestEvent({ name }) {
    if (name === 'run_finish') await this.global.closeScenarios?.();
  }
}
