export function secretsIn(
  run: { workflowId: string; history: { events: object[] } },
  apiKey: string,
): string[];
