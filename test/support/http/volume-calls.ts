/** What `callApi` may call in tests. */
export const VOLUME_CALLS = ['GET', 'POST', 'PATCH', 'DELETE'].flatMap((method) => [
  `${method} /cloud/v1/volumes/*/*`,
  `${method} /cloud/v1/volumes/*/*/*`,
]);
