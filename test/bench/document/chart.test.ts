import { describe, expect, it } from '@jest/globals';

import { renderChart } from '../../../bench/document/chart.js';
import { figureWith, MEASURED } from './figures.js';

function chart(): string {
  const svg = renderChart(figureWith(MEASURED));
  if (svg === undefined) throw new Error('There is a chart');
  return svg;
}

describe('a chart', () => {
  it('is the same for the same data, so that a page can be rendered again', () => {
    expect(chart()).toBe(chart());
  });

  it('gives every colour that it uses another one on a dark ground', () => {
    const svg = chart();
    const used = [...svg.matchAll(/<(?!style)[^>]* (?:fill|stroke)="(#[0-9a-f]+)"/g)];
    const colours = new Set(used.map(([, colour]) => colour));
    const mapped = [...colours].filter((colour) => svg.includes(`[fill="${String(colour)}"] {`));

    expect(colours.size).toBeGreaterThan(4);
    expect(mapped).toEqual([...colours]);
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
  });

  it('has a title for screen readers, and names what it shows', () => {
    const svg = chart();

    expect(svg).toContain('role="img"');
    expect(svg).toMatch(/<title>Runs that wait: [^<]+<\/title>/);
    for (const text of ['ours', 'theirs', 'requests', 'late, s', '22']) {
      expect(svg).toContain(`>${text}</text>`);
    }
  });

  it('is missing for a figure without data', () => {
    expect(renderChart(figureWith({ name: 'small' }))).toBeUndefined();
  });
});
