/** Answers each URL with what it was answered first: to write a full page takes longer than to read it. */
export function answerOf(toBody: (request: Request) => unknown): (request: Request) => Response {
  const texts = new Map<string, string>();
  return (request) => {
    const text = texts.get(request.url) ?? JSON.stringify(toBody(request));
    texts.set(request.url, text);
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  };
}
