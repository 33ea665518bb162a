// A zone far from UTC: a test fails when code reads a time without a zone as local time.
process.env.TZ = 'Asia/Kolkata';

/** @type {import('jest').Config} */
const shared = {
  testEnvironment: '<rootDir>/test/support/jest/native-environment.js',
  testRunner: '<rootDir>/test/support/jest/native-circus.js',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {},
};

const ON_A_SERVER = {
  testEnvironment: '<rootDir>/test/support/jest/scenario-environment.js',
  globalSetup: '<rootDir>/test/support/jest/start-temporal.js',
  globalTeardown: '<rootDir>/test/support/jest/stop-temporal.js',
};
const WITHOUT_A_SERVER = {
  globalSetup: '<rootDir>/test/support/jest/own-temp-folder.js',
  globalTeardown: '<rootDir>/test/support/jest/remove-temp-folder.js',
};

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.(server|sim)\\.test\\.ts$'],
      ...WITHOUT_A_SERVER,
    },
    {
      // Files named *.sim.test.ts need the build, and no server: Temporal and time are simulated in their process. With
      // ON_REAL_SERVER they run on a real one.
      ...shared,
      displayName: 'simulation',
      testMatch: ['<rootDir>/test/**/*.sim.test.ts'],
      ...(process.env.ON_REAL_SERVER === undefined ? WITHOUT_A_SERVER : ON_A_SERVER),
    },
    {
      // Files named *.server.test.ts need the build and a real Temporal server. `npm test` builds
      // first, and the global setup starts one server for all of them.
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/**/*.server.test.ts'],
      ...ON_A_SERVER,
    },
  ],
  testSequencer: '<rootDir>/test/support/jest/longest-first.js',
  // Ends what hangs. A busy machine takes minutes for what takes ten seconds alone.
  testTimeout: 400_000,
  // A large process takes more than jest's half second to end on a busy machine. One that something keeps alive is still told of.
  workerGracefulExitTimeout: 20_000,
  // Tests with a server mostly wait, so more of them than processors run side by side.
  maxWorkers: 6,
};
