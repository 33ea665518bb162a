import type { BundleOptions } from '@temporalio/worker';

type Configure = NonNullable<BundleOptions['webpackConfigHook']>;
type Plugin = NonNullable<ReturnType<Configure>['plugins']>[number];

const NAME = 'ApartModules';
const MODULE_TYPES = ['javascript/auto', 'javascript/esm'] as const;
/** What no run can change, so that nothing needs to be frozen. */
const UNCHANGING = new Set<string | undefined>([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'Literal',
  'TemplateLiteral',
]);

/**
 * Joins the workflows' modules into few: a call then names the function itself, and no module needs its own list of imports
 * and exports. The names in stack traces stay. The modules of the SDK stay as they are.
 */
export const joinModules: Configure = (config) => ({
  ...config,
  plugins: [...(config.plugins ?? []), keepApart],
  optimization: {
    ...config.optimization,
    usedExports: true,
    concatenateModules: { commonjs: false },
  },
});

/**
 * The SDK freezes what a module exports, but not what joined modules give to each other. So a module that exports objects
 * stays a module of its own. See docs/decisions/0044.
 */
const keepApart: Plugin = (compiler) => {
  compiler.hooks.compilation.tap(NAME, (_compilation, { normalModuleFactory }) => {
    for (const type of MODULE_TYPES) {
      normalModuleFactory.hooks.parser.for(type).tap(NAME, (parser) => {
        parser.hooks.exportDeclaration.tap(NAME, (exported) => {
          const declaration = 'declaration' in exported ? exported.declaration : undefined;
          if (declaration?.type !== 'VariableDeclaration') return;
          if (declaration.declarations.every(({ init }) => UNCHANGING.has(init?.type))) return;
          parser.state.module.buildInfo.moduleConcatenationBailout = 'an object that it exports';
        });
      });
    }
  });
};
