/**
 * Calls the API as a person does, beside the runs. Throws unless it answers with success.
 *
 * @param call such as `DELETE /cloud/v1/instances/1/1/…`
 */
export async function callByHand(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  call: string,
  body?: unknown,
): Promise<unknown> {
  const [method = '', path = ''] = call.split(' ');
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `apikey ${apiKey}`,
      'content-type': 'application/json',
      'user-agent': 'somebody else',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${call}: ${response.status} ${await response.text()}`);
  return response.json();
}
