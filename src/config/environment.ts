export type Environment = Readonly<Record<string, string | undefined>>;

/** Docker Compose passes unset variables as empty texts, which would replace Temporal's defaults. */
export function withoutEmpty(environment: Environment): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && value !== '') given[name] = value;
  }
  return given;
}
