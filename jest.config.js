// Far from UTC, so that a time without a zone that is read as local time is seen.
process.env.TZ = 'Asia/Kolkata';

/** @type {import('jest').Config} */
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  // Sources name their imports as they will exist after the build (`./x.js`).
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
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
      // Files named *.server.test.ts meet a real Temporal server, started once for all of them, and
      // the build: `npm test` builds first.
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/**/*.server.test.ts'],
      globalSetup: '<rootDir>/test/support/jest/start-temporal.js',
      globalTeardown: '<rootDir>/test/support/jest/stop-temporal.js',
    },
  ],
  testSequencer: '<rootDir>/test/support/jest/longest-first.js',
  // Ends what hangs: a busy machine takes a minute for what takes ten seconds alone.
  testTimeout: 180_000,
  // Tests with a server mostly wait: more of them than processors may do so at once.
  maxWorkers: 5,
};
