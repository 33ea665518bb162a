/** `npm run bench:render`: writes docs/figures.md and its charts again from docs/figures/*.json, without measuring. */
import { createFigureStore } from './figures/document/figure-store.js';
import { FIGURES } from './figures/index.js';
import { currentFigure } from './figures/run/update-figure.js';

const store = createFigureStore('docs');
await store.render(
  FIGURES.map((definition) => currentFigure(definition, store.read(definition.id))),
);
process.stdout.write(`${store.page}\n`);
