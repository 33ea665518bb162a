/** Thrown when Temporal knows no such Worker Deployment: no versioned worker has ever polled under this name. */
export class DeploymentNotFoundError extends Error {
  override readonly name = 'DeploymentNotFoundError';
  readonly deployment: string;

  constructor(deployment: string) {
    super(
      `There is no Worker Deployment "${deployment}" in this namespace: no worker with GCORE_WORKFLOWS_DEPLOYMENT=${deployment} has polled yet. Start one.`,
    );
    this.deployment = deployment;
  }
}

/** Thrown when new runs would go to a version that could not work on them, or that Temporal refuses. Nothing was changed. */
export class PromotionRefusedError extends Error {
  override readonly name = 'PromotionRefusedError';
  readonly build: string;
  readonly advice: string;

  constructor(build: string, { reason, advice }: { reason: string; advice: string }) {
    super(`The version ${build} ${reason}. Nothing was changed. ${advice}`);
    this.build = build;
    this.advice = advice;
  }
}
