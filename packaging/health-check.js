/**
 * HEALTHCHECK of the image, for whichever part of the product runs in the container: exits with 0 when its
 * `/livez` answers 200. The image has no curl. Pass the port as an argument where it is not one of the usual ones.
 */
const [given] = process.argv.slice(2);
const TIMEOUT_MS = 2_000;
/** The worker's, the gateway's and the codec server's. One container runs one of them. */
const ports =
  given === undefined
    ? [process.env.GCORE_WORKFLOWS_HEALTH_PORT ?? '8085', '8088', '8089']
    : [given];

async function isAlive(port) {
  const answer = await globalThis.fetch(`http://127.0.0.1:${port}/livez`, {
    signal: globalThis.AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`port ${port} answers ${answer.status}`);
}

try {
  await Promise.any(ports.map(isAlive));
} catch ({ errors }) {
  const reasons = errors.map((error) => error.cause?.message ?? error.message);
  process.stderr.write(`Nothing is healthy here: ${reasons.join('; ')}\n`);
  process.exitCode = 1;
}
