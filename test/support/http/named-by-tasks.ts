/** A line on which each task that has made something names these things too, as if it had made them. */
export function namedByTasks(volumeIds: readonly string[], floatingIpIds: readonly string[] = []) {
  return async (request: Request): Promise<Response> => {
    const answer = await fetch(request);
    if (!new URL(request.url).pathname.startsWith('/cloud/v1/tasks')) return answer;
    const text = (await answer.text())
      .replaceAll(/"volumes":\[(?=")/g, `"volumes":[${listOf(volumeIds)}`)
      .replaceAll('"floatingips":[', `"floatingips":[${listOf(floatingIpIds)}`);
    const { status } = answer;
    // Its length is another one now.
    const headers = { 'content-type': 'application/json' };
    return new Response(text.replaceAll(',]', ']'), { status, headers });
  };
}

function listOf(ids: readonly string[]): string {
  return ids.map((id) => `"${id}",`).join('');
}
