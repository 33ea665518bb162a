import { NativeEnvironment } from './native-environment.js';

/** Closes what the scenarios of a test file share, after its last hook: no file has to think of it. */
export default class ScenarioEnvironment extends NativeEnvironment {
  async handleTestEvent({ name }) {
    if (name === 'run_finish') await globalThis.closeScenarios?.();
  }
}
