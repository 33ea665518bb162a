import type { Tracing, TracingOptions } from './start-tracing.js';

/** Begins to trace this process. Loads the libraries of OpenTelemetry only where tracing is on. */
export async function loadTracing(
  settings: Omit<TracingOptions, 'logger'> | undefined,
  logger: TracingOptions['logger'],
): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined;
  const { startTracing } = await import('./start-tracing.js');
  return startTracing({ ...settings, ...(logger && { logger }) });
}
