import { ModuleMocker } from 'jest-mock';

/** The process itself, as what tests run in. It gives back what a test file may change for the next one. */
export class NativeEnvironment {
  // Jest sets globals here, and would wrap `process.exit` anew for each file.
  global = Object.create(globalThis, { process: { value: undefined } });
  moduleMocker = new ModuleMocker(globalThis);
  #before;

  setup() {
    this.#before = {
      env: { ...process.env },
      exitCode: process.exitCode,
      console: globalThis.console,
    };
    globalThis.console = this.global.console;
  }

  teardown() {
    const { env, exitCode, console } = this.#before;
    for (const name of Object.keys(process.env)) {
      if (!(name in env)) Reflect.deleteProperty(process.env, name);
    }
    Object.assign(process.env, env);
    process.exitCode = exitCode;
    globalThis.console = console;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

export default NativeEnvironment;
