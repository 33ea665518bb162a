/** How a worker ends. The chart's grace period comes from it (deploy/helm). */
export const SHUTDOWN = {
  // With the default of 0, every deployment would interrupt calls and leave their outcome unknown.
  shutdownGraceTime: '30 seconds',
  shutdownForceTime: '45 seconds',
} as const;
