import eslint from '@eslint/js';
import jest from 'eslint-plugin-jest';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** What runs in the sandbox of workflows. */
const WORKFLOW_CODE = [
  'src/workflows/**',
  'src/engine/create-engine.ts',
  'src/engine/{run,send,wait,turns,plan,webhooks,steps}/**',
];

const nodeBuiltins = { group: ['node:*'], message: 'The workflow sandbox has no Node built-ins.' };

const RESTRICTED = {
  setHandler: 'Use engine/run/on-message: it checks what any client may send.',
  proxyLocalActivities:
    'A time from before a local activity is another one on replay: see docs/architecture.md, "Time".',
};

/** `allowed` of a file that is an exception. */
const workflowImports = ({ allowed = [] } = {}) => [
  'error',
  {
    paths: Object.entries(RESTRICTED)
      .filter(([name]) => !allowed.includes(name))
      .map(([name, message]) => ({
        name: '@temporalio/workflow',
        importNames: [name],
        message,
      })),
    patterns: [
      nodeBuiltins,
      {
        group: ['zod', 'ky', '@temporalio/client', '@temporalio/worker', '@temporalio/activity'],
        message: 'Workflows stay small and deterministic: take types only.',
        allowTypeImports: true,
      },
    ],
  },
];

const ofModule = ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration';

export default tseslint.config(
  { ignores: ['dist/', 'dist-client/', 'coverage/', '.cache/', '.dev/'] },
  eslint.configs.recommended,
  // The rules that need types are in .oxlintrc.json: oxlint needs an eighth of the time for them.
  tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      complexity: ['error', 12],
      eqeqeq: 'error',
      'max-lines': ['error', { max: 500 }],
      // Complexity is what is hard to read. A table or a plain object may be long.
      'max-lines-per-function': ['error', { max: 70, skipComments: true }],
      'max-params': ['error', 3],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only src/config.ts and src/config/ read the environment.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { regexp },
    rules: {
      // Texts from outside are long: an expression that needs quadratic time is an attack.
      'regexp/no-super-linear-backtracking': ['error', { report: 'certain' }],
      'regexp/no-super-linear-move': ['error', { report: 'certain' }],
    },
  },
  {
    files: WORKFLOW_CODE,
    rules: {
      'no-restricted-globals': ['error', 'process', 'fetch', 'setInterval'],
      '@typescript-eslint/no-restricted-imports': workflowImports(),
    },
  },
  {
    files: ['src/engine/run/on-message.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': workflowImports({ allowed: ['setHandler'] }),
    },
  },
  {
    files: ['src/engine/run/local-activities.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': workflowImports({
        allowed: ['proxyLocalActivities'],
      }),
    },
  },
  {
    // All runs of a worker share the modules of the bundle: docs/decisions/0044.
    files: [
      ...WORKFLOW_CODE,
      'src/engine/{core,schema}/**',
      'src/contract/**',
      'src/codec/encoded-failures.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `${ofModule}[kind=let]`,
          message: 'All runs share this module, so it keeps nothing of one.',
        },
        {
          selector: `${ofModule} > VariableDeclarator:not([id.typeAnnotation]) > NewExpression[callee.name=/^(Map|Set)$/]`,
          message: 'All runs share this module: make it a ReadonlyMap or a ReadonlySet.',
        },
        {
          selector: `${ofModule} > VariableDeclarator > :matches(ArrayExpression[elements.length=0], ObjectExpression[properties.length=0])`,
          message: 'All runs share this module, so it collects nothing.',
        },
        {
          selector: 'PropertyDefinition[static=true][readonly!=true]',
          message: 'All runs share this class, so it keeps nothing of one.',
        },
      ],
    },
  },
  {
    files: ['src/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['@temporalio/*/lib/**'], message: 'The SDK may change its internals.' },
          ],
        },
      ],
    },
  },
  {
    files: ['src/config.ts', 'src/config/*.ts', 'bench/**'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['test/**'],
    plugins: { jest },
    rules: {
      ...jest.configs['flat/recommended'].rules,
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect', 'expect*', '**.until', 'until'] },
      ],
      'max-lines-per-function': 'off',
      'no-restricted-properties': 'off',
    },
  },
  // One table: a reader looks for a rule in one place.
  { files: ['.dependency-cruiser.cjs'], rules: { 'max-lines': 'off' } },
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        URL: 'readonly',
        console: 'readonly',
        module: 'readonly',
        globalThis: 'readonly',
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-assertions': 'off',
      'no-restricted-properties': 'off',
    },
  },
);
