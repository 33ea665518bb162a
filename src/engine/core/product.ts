import type { Known } from './known-fields.js';
import type { WorkflowMetrics } from './workflow-metrics.js';

/** The names that the engine is told: those on the wire, and those in texts. */
export interface Product {
  /** For whoever is called by it. */
  readonly name: string;
  /** Task queues of one account. */
  readonly queues: {
    readonly api: (account: string) => string;
    readonly urgent: (account: string) => string;
    readonly watch: (account: string) => string;
    readonly webhooks: (account: string) => string;
  };
  readonly searchAttributes: {
    readonly phase: string;
    readonly account: string;
    readonly resourceId: string;
  };
  readonly metrics: WorkflowMetrics;
  /** What `prepare…` of an operation returns, as far as this version knows it. */
  readonly preparedFields: Readonly<Record<string, Known>>;
  /** The settings of a worker that a person is told to look at. */
  readonly settings: { readonly watcher: string; readonly webhooks: string };
}
