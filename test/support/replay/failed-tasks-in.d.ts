export function failedTasksIn(run: {
  workflowId: string;
  history: { events?: object[] | null };
}): string[];
