/** Reads the events at a URL, many times at once. Tells its parent of each stream, and when it got each document after the first. */
import { Agent, get } from 'node:http';

const [url = '', count = '0'] = process.argv.slice(2);
const agent = new Agent({ maxSockets: Infinity });

function read(): void {
  get(url, { agent }, (answer) => {
    let rest = '';
    let documents = 0;
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      rest += text;
      const events = rest.split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        if (!event.includes('event: status')) continue;
        documents += 1;
        process.send?.(documents === 1 ? 'connected' : Date.now());
      }
    });
  });
}

for (let reader = 0; reader < Number(count); reader++) read();
