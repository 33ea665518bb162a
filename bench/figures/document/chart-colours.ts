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

export const COLOURS = LIGHT;

function flatten({ series, ...rest }: typeof LIGHT | typeof DARK): string[] {
  return [...Object.values(rest), ...series];
}

/**
 * A chart is an image of a page that may be light or dark. Attributes hold the light colours, so that a
 * viewer without CSS shows those, and its own ground is painted, so that it can be read on any page.
 */
export const STYLE = `@media (prefers-color-scheme: dark) { ${flatten(LIGHT)
  .map((light, index) => {
    const dark = flatten(DARK)[index] ?? light;
    return `[fill="${light}"] { fill: ${dark} } [stroke="${light}"] { stroke: ${dark} }`;
  })
  .join(' ')} }`;
