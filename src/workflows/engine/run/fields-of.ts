/** The fields that a message may have, of any type: any client may send anything. */
export type Fields<T extends object> = Partial<Record<keyof T, unknown>>;

/**
 * The argument of an update or a signal. What is no object has no fields: an error of the code in a handler would
 * stop the run until another version of the code runs.
 */
export function fieldsOf<T extends object>(
  argument: T | null | undefined,
): Partial<Record<keyof T, unknown>> {
  return argument instanceof Object ? argument : {};
}
