import { init, type EChartsOption } from 'echarts';

import { chartData, describeChart, type ChartData, type Panel } from './chart-data.js';
import { formatCell, titleOf, type Column, type Figure } from './figure.js';

/** Colours on white: 3 to 1 or better for shapes, 4.5 to 1 or better for text. */
const LIGHT = {
  paper: '#fefefe',
  ink: '#1f2328',
  dim: '#57606a',
  line: '#8c959f',
  grid: '#d8dee4',
  series: ['#1f6feb', '#c2570c', '#1a7f37', '#8250df', '#bf3989', '#6e7781'],
} as const;

/** The same on a dark ground. */
const DARK = {
  paper: '#0d1117',
  ink: '#e6edf3',
  dim: '#9ea7b3',
  line: '#6e7681',
  grid: '#2b323b',
  series: ['#58a6ff', '#f0883e', '#3fb950', '#a371f7', '#f778ba', '#8b949e'],
} as const;

const COLOURS = LIGHT;

function flatten({ series, ...rest }: typeof LIGHT | typeof DARK): string[] {
  return [...Object.values(rest), ...series];
}

/**
 * A chart is an image of a page that may be light or dark. Attributes hold the light colours, so that a
 * viewer without CSS shows those, and its own ground is painted, so that it can be read on any page.
 */
const STYLE = `@media (prefers-color-scheme: dark) { ${flatten(LIGHT)
  .map((light, index) => {
    const dark = flatten(DARK)[index] ?? light;
    return `[fill="${light}"] { fill: ${dark} } [stroke="${light}"] { stroke: ${dark} }`;
  })
  .join(' ')} }`;

const WIDTH = 860;
const PANEL_HEIGHT = 230;
const TOP = 46;
/** Room of a panel for its title above the bars, and for the names below. */
const ABOVE = 44;
const BELOW = 40;
const BOTTOM = 8;
const LEFT = 56;
const RIGHT = 16;
/** More bars leave no room for their numbers. */
const MAX_NUMBERED = 24;

/** The chart as SVG, the same for the same data; without data, `undefined`. */
export function renderChart(figure: Figure): string | undefined {
  const data = chartData(figure);
  if (data === undefined) return undefined;
  const height = topOf(data.panels.length) + BOTTOM;
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  try {
    chart.setOption(optionsOf(figure, data));
    return clean(chart.renderToSVGString({ useViewBox: true }), describeChart(figure));
  } finally {
    chart.dispose();
  }
}

const TEXT = { color: COLOURS.ink, fontFamily: 'sans-serif' } as const;

function optionsOf({ chart: { kind } }: Figure, { panels, places, x }: ChartData): EChartsOption {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  return {
    animation: false,
    backgroundColor: COLOURS.paper,
    textStyle: TEXT,
    ...(names.length > 1 && { legend: { data: names, top: 12, itemGap: 36, textStyle: TEXT } }),
    title: panels.map(({ columns }, index) => ({
      text: columns.map(titleOf).join(' / '),
      left: LEFT - 40,
      top: topOf(index) + 4,
      textStyle: { ...TEXT, fontSize: 14, fontWeight: 'bold' as const },
    })),
    grid: panels.map((_, index) => ({
      left: LEFT,
      right: RIGHT,
      top: topOf(index) + ABOVE,
      height: PANEL_HEIGHT - ABOVE - BELOW,
    })),
    xAxis: panels.map((_, index) => xAxisOf(x, places, index)),
    yAxis: panels.map((_, index) => ({
      type: 'value' as const,
      gridIndex: index,
      splitNumber: 4,
      axisLabel: { color: COLOURS.dim, formatter: (value: number) => formatCell(value) },
      splitLine: { lineStyle: { color: COLOURS.grid } },
    })),
    series: panels.flatMap((panel, index) => seriesOf(panel, { kind, index, names })),
  };
}

function topOf(panel: number): number {
  return TOP + panel * PANEL_HEIGHT;
}

function xAxisOf(x: Column, places: string[], gridIndex: number) {
  return {
    type: 'category' as const,
    gridIndex,
    data: places,
    name: titleOf(x),
    nameLocation: 'middle' as const,
    nameGap: 22,
    nameTextStyle: { color: COLOURS.dim },
    axisLabel: { color: COLOURS.dim, hideOverlap: true },
    axisLine: { lineStyle: { color: COLOURS.line } },
    axisTick: { show: false },
  };
}

interface Place {
  kind: 'bar' | 'line';
  index: number;
  /** All series of the chart: one name has one colour in all panels. */
  names: readonly string[];
}

function seriesOf({ series }: Panel, { kind, index, names }: Place) {
  const count = series.reduce((sum, { values }) => sum + values.length, 0);
  return series.map(({ name, values }) => ({
    name,
    type: kind,
    xAxisIndex: index,
    yAxisIndex: index,
    data: values,
    silent: true,
    symbol: 'circle',
    itemStyle: {
      color: COLOURS.series[names.indexOf(name) % COLOURS.series.length] ?? COLOURS.ink,
    },
    barMaxWidth: 46,
    label: {
      show: kind === 'bar' && count <= MAX_NUMBERED,
      position: 'top' as const,
      color: COLOURS.ink,
      textBorderWidth: 0,
      fontSize: 11,
      formatter: ({ value }: { value?: unknown }) =>
        formatCell(typeof value === 'number' ? value : null),
    },
  }));
}

/** Without what a browser needs to react to the mouse: it numbers charts, so two renderings would differ. */
function clean(svg: string, description: string): string {
  const [head = '', ...rest] = svg
    .replaceAll(/<style\s*>.*?<\/style>\n*/gs, '')
    .replaceAll(/ stroke="[^"]*" stroke-width="0"/g, '')
    // The library counts the charts of a process.
    .replaceAll(/\bzr\d+-c(?=\d)/g, 'clip-')
    .replaceAll(/ (?:class|ecmeta_[a-z_]+|pointer-events)="[^"]*"/g, '')
    .split('\n');
  return [
    head.replace('<svg', '<svg role="img"'),
    `<title>${escapeXml(description)}</title>`,
    `<style>${STYLE}</style>`,
    ...rest,
    '',
  ].join('\n');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
