/** One thing that was checked, such as whether the Temporal server answers. */
export interface Check {
  /** `Temporal`, `namespace`, `workers`, `API key` … */
  name: string;
  /** `unknown`: it could not be checked, and `text` says why. */
  state: 'ok' | 'fault' | 'unknown';
  /** What was found. Never holds a secret. */
  text: string;
  /** What to do about a fault. */
  advice?: string;
}
