/** One line of what Prometheus reads. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Scrape {
  text: string;
  /** The type of each metric by its name. */
  types: Map<string, string>;
  samples: Sample[];
}

export async function scrape(url: string, init?: RequestInit): Promise<Scrape> {
  const response = await fetch(url, init);
  const text = await response.text();
  const lines = text.split('\n');
  const types = new Map(
    lines.flatMap((line) => {
      const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, type] as const];
    }),
  );
  return { text, types, samples: lines.flatMap(toSample) };
}

function toSample(line: string): Sample[] {
  const [, name, labels = '', value] = /^([a-z]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined) return [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return [
    {
      name,
      labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
      value: Number(value),
    },
  ];
}
