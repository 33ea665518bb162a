import type { FigureDefinition } from '../definition.js';
import type { Conditions, Figure, FigurePart, Measured } from '../document/figure.js';

/** The figure as it is defined now, with the parts that were measured before. */
export function currentFigure(definition: FigureDefinition, former: Figure | undefined): Figure {
  const { id, title, about, columns, chart, parts } = definition;
  const known = former?.parts ?? [];
  const names = parts === 'per server' ? known.map(({ name }) => name) : parts;
  return {
    id,
    title,
    about,
    command: definition.command ?? `npm run bench:all -- --only ${id}`,
    columns,
    chart,
    parts: names.map((name) => known.find((part) => part.name === name) ?? { name }),
  };
}

/** The figure with a new measurement of a part. */
export function withMeasured(
  figure: Figure,
  name: string,
  { measured, conditions }: { measured: Measured; conditions: Conditions },
): Figure {
  return withPart(figure, { name, measured: { ...measured, conditions } });
}

/** The figure with a failed try. What was measured before stays. */
export function withFailure(
  figure: Figure,
  name: string,
  failed: NonNullable<FigurePart['failed']>,
): Figure {
  const former = figure.parts.find((part) => part.name === name);
  return withPart(figure, { ...former, name, failed });
}

function withPart(figure: Figure, part: FigurePart): Figure {
  const isKnown = figure.parts.some(({ name }) => name === part.name);
  const parts = figure.parts.map((each) => (each.name === part.name ? part : each));
  return { ...figure, parts: isKnown ? parts : [...parts, part] };
}

/** Whether this part was measured on this commit with this Node. */
export function isMeasured(
  { parts }: Figure,
  name: string,
  { commit, node }: Pick<Conditions, 'commit' | 'node'>,
): boolean {
  const part = parts.find((each) => each.name === name);
  const conditions = part?.measured?.conditions;
  return part?.failed === undefined && conditions?.commit === commit && conditions.node === node;
}
