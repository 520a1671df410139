// Streams between measured nodes. Pure: boxes in, outlines out.
import { linkHorizontal, linkVertical } from 'd3-shape';
import type { PathLink } from './path-types.ts';

export type Box = { left: number; top: number; width: number; height: number };

export type Stream = {
  id: string;
  path: string;
  width: number;
  kind: PathLink['kind'];
  /** Where an unused link ends. */
  end: { x: number; y: number } | null;
};

type Ends = { source: [number, number]; target: [number, number] };

const shortOfTarget = 22;
const spaceBetween = 1;

/** 2 px, and up to 12 more by its share of the whole. */
export function streamWidth(cents: number, totalCents: number): number {
  return totalCents <= 0 ? 2 : 2 + 12 * Math.min(1, Math.abs(cents) / totalCents);
}

/** Every link as a stream. Streams that leave or reach the same node lie side by side, in the order of their nodes. */
export function streams(
  links: readonly PathLink[],
  boxes: ReadonlyMap<string, Box>,
  totalCents: number,
  direction: 'across' | 'down',
): Stream[] {
  const known = links.filter(({ from, to }) => boxes.has(from) && boxes.has(to));
  const leaving = offsets(known, 'from', 'to', boxes, totalCents, direction);
  const reaching = offsets(known, 'to', 'from', boxes, totalCents, direction);
  return known.flatMap((link) => {
    const from = boxes.get(link.from);
    const to = boxes.get(link.to);
    if (!from || !to) return [];
    const ends = endsOf(from, to, leaving.get(link) ?? 0, reaching.get(link) ?? 0, link.kind === 'unused', direction);
    const draw = direction === 'across' ? linkHorizontal() : linkVertical();
    const stream: Stream = {
      id: `${link.from} ${link.to} ${link.kind}`,
      path: draw(ends) ?? '',
      width: link.kind === 'unused' ? 2 : streamWidth(link.cents, totalCents),
      kind: link.kind,
      end: link.kind === 'unused' ? { x: ends.target[0], y: ends.target[1] } : null,
    };
    return [stream];
  });
}

function endsOf(from: Box, to: Box, start: number, end: number, isUnused: boolean, direction: 'across' | 'down'): Ends {
  const short = isUnused ? shortOfTarget : 0;
  if (direction === 'across') {
    return {
      source: [from.left + from.width, from.top + from.height / 2 + start],
      target: [to.left - short, to.top + to.height / 2 + end],
    };
  }
  return {
    source: [from.left + from.width / 2 + start, from.top + from.height],
    target: [to.left + to.width / 2 + end, to.top - short],
  };
}

/** How far from the middle of its node each link starts or ends. */
function offsets(
  links: readonly PathLink[],
  end: 'from' | 'to',
  otherEnd: 'from' | 'to',
  boxes: ReadonlyMap<string, Box>,
  totalCents: number,
  direction: 'across' | 'down',
): Map<PathLink, number> {
  const result = new Map<PathLink, number>();
  const middle = (id: string) => {
    const box = boxes.get(id);
    if (!box) return 0;
    return direction === 'across' ? box.top + box.height / 2 : box.left + box.width / 2;
  };
  for (const node of new Set(links.map((link) => link[end]))) {
    const beside = links.filter((link) => link[end] === node).toSorted((a, b) => middle(a[otherEnd]) - middle(b[otherEnd]));
    const widths = beside.map((link) => spaceOf(link, end, totalCents));
    const whole = widths.reduce((sum, width) => sum + width, 0) + spaceBetween * (beside.length - 1);
    let at = -whole / 2;
    for (const [index, link] of beside.entries()) {
      const width = widths[index] ?? 0;
      result.set(link, at + width / 2);
      at += width + spaceBetween;
    }
  }
  return result;
}

/** Unused links need room for the dot at their end. */
function spaceOf(link: PathLink, end: 'from' | 'to', totalCents: number): number {
  if (link.kind === 'unused') return end === 'to' ? 16 : 4;
  return streamWidth(link.cents, totalCents);
}

/** Whether what flows into a node equals what flows out of it, for every node in the middle. */
export function addsUp(links: readonly PathLink[]): boolean {
  const flows = links.filter(({ kind }) => kind === 'flow');
  const into = new Set(flows.map(({ to }) => to));
  const middles = [...new Set(flows.map(({ from }) => from))].filter((id) => into.has(id));
  const sum = (list: readonly PathLink[]) => list.reduce((total, { cents }) => total + cents, 0);
  return middles.every((id) => sum(flows.filter(({ to }) => to === id)) === sum(flows.filter(({ from }) => from === id)));
}
