const GLOBALS = new URL('./globals.js', import.meta.url).href;

/** Node's hook for `import`. The package `@jest/globals` is a fault outside of jest's own module loader. */
export function resolve(specifier, context, next) {
  return specifier === '@jest/globals'
    ? { url: GLOBALS, shortCircuit: true }
    : next(specifier, context);
}
