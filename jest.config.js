// A zone far from UTC: a test fails when code reads a time without a zone as local time.
process.env.TZ = 'Asia/Kolkata';

/** @type {import('jest').Config} */
const shared = {
  testEnvironment: '<rootDir>/test/support/jest/native-environment.js',
  testRunner: '<rootDir>/test/support/jest/native-circus.js',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {},
};

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.server\\.test\\.ts$'],
      globalSetup: '<rootDir>/test/support/jest/own-temp-folder.js',
      globalTeardown: '<rootDir>/test/support/jest/remove-temp-folder.js',
    },
    {
      // Files named *.server.test.ts need the build and a real Temporal server. `npm test` builds
      // first, and the global setup starts one server for all of them.
      ...shared,
      displayName: 'integration',
      testEnvironment: '<rootDir>/test/support/jest/scenario-environment.js',
      testMatch: ['<rootDir>/test/**/*.server.test.ts'],
      globalSetup: '<rootDir>/test/support/jest/start-temporal.js',
      globalTeardown: '<rootDir>/test/support/jest/stop-temporal.js',
    },
  ],
  testSequencer: '<rootDir>/test/support/jest/longest-first.js',
  // Ends what hangs. A busy machine takes minutes for what takes ten seconds alone.
  testTimeout: 400_000,
  // Tests with a server mostly wait, so more of them than processors run side by side.
  maxWorkers: 6,
};
