/** The command that sends all new runs to a version of the workers. */
export function setCurrentVersion(deployment: string, build: string): string {
  return `temporal worker deployment set-current-version --deployment-name ${deployment} --build-id ${build}`;
}
