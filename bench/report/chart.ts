// Draws the figures of a benchmark as an SVG: a bar per figure, a line for its range, a mark for the required value. It
// follows the color scheme of the reader.
import { scaleLinear } from 'd3-scale';
import { describeRequired, type Figure, isKept, readRequired, show } from './outcome.ts';
import type { Result } from './results.ts';
import { describeChart, labelFigure } from './titles.ts';

const [width, labelWidth, valueWidth] = [760, 250, 150];
const [top, rowHeight, barHeight] = [62, 30, 14];

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 } .quiet { fill: #59636e; font-size: 12px } .title { font-size: 15px; font-weight: 600 }
  .track { fill: #eaeef2 } .bar { fill: #2f6feb } .missed { fill: #c4432b } .spread { stroke: #1f2328 } .required { stroke: #1f2328; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .quiet { fill: #9198a1 } .track { fill: #262c36 } .bar { fill: #4c8dff } .missed { fill: #f0715a }
    .spread, .required { stroke: #e6edf3 }
  }`;

/** The charts of a result: one for each unit, because bars of different units can't be compared. */
export function drawCharts(result: Result): { name: string; title: string; about: string; svg: string }[] {
  const units = [...new Set(result.figures.map(({ unit }) => unit))];
  return units.map((unit) => {
    const suffix =
      units.length === 1
        ? ''
        : `-${unit
            .toLowerCase()
            .replace('%', 'percent')
            .replaceAll(/[^a-z]+/g, '-')}`;
    const figures = result.figures.filter((figure) => figure.unit === unit);
    const { title, about } = describeChart(result.benchmark, unit);
    return { name: `${result.benchmark}${suffix}.svg`, title, about, svg: drawChart(title, figures, result) };
  });
}

function drawChart(title: string, figures: readonly Figure[], { machine, at, commit }: Result): string {
  const most = Math.max(...figures.flatMap((figure) => [figure.high, readRequired(figure)]));
  const end = figures[0]?.unit.startsWith('of ') ? Math.max(1, most) : most;
  // A change can be below 0: its bar and its spread then start at 0.
  const x = scaleLinear([0, end], [labelWidth, width - valueWidth]).clamp(true);
  const height = top + figures.length * rowHeight + 34;
  const rows = figures.map((figure, index) => drawRow(figure, x, top + index * rowHeight));
  const place = `${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node}, PostgreSQL ${machine.postgres}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeText(title)}</title>
<style>${style}
</style>
<text class="title" x="16" y="26">${escapeText(title)}</text>
<text class="quiet" x="16" y="46">Bar: median. Thin line: lowest to highest round. Vertical mark: required; red if missed</text>
${rows.join('\n')}
<text class="quiet" x="16" y="${height - 12}">${escapeText(`${place}; ${at.slice(0, 10)}, ${commit}`)}</text>
</svg>
`;
}

type Scale = (value: number) => number;

function drawRow(figure: Figure, x: Scale, y: number): string {
  const { value, low, high, required } = figure;
  const middle = y + barHeight / 2;
  const mark = required && x(readRequired(figure));
  const line = (kind: string, points: [number, number, number, number]) =>
    `<line class="${kind}" x1="${points[0].toFixed(1)}" y1="${points[1]}" x2="${points[2].toFixed(1)}" y2="${points[3]}"/>`;
  return [
    `<text x="16" y="${y + 12}">${escapeText(labelFigure(figure))}</text>`,
    `<rect class="track" x="${labelWidth}" y="${y}" width="${width - valueWidth - labelWidth}" height="${barHeight}" rx="2"/>`,
    `<rect class="${isKept(figure) ? 'bar' : 'missed'}" x="${labelWidth}" y="${y}" width="${(x(value) - labelWidth).toFixed(1)}" height="${barHeight}" rx="2"/>`,
    line('spread', [x(low), middle, x(high), middle]),
    ...(mark === null ? [] : [line('required', [mark, y - 4, mark, y + barHeight + 4])]),
    `<text x="${width - valueWidth + 10}" y="${y + 12}">${show(value)}<tspan class="quiet" dx="8">${escapeText(describeRequired(figure))}</tspan></text>`,
  ].join('\n');
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '');
}
