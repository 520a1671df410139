import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addsUp, type Box, streams, streamWidth } from './path-geometry.ts';
import type { PathLink } from './path-types.ts';

const box = (left: number, top: number): Box => ({ left, top, width: 100, height: 60 });
const boxes = new Map([
  ['coupon', box(0, 0)],
  ['click', box(0, 100)],
  ['ada', box(300, 50)],
  ['kit', box(600, 0)],
  ['tea', box(600, 100)],
  ['sum', box(900, 50)],
]);
const links: PathLink[] = [
  { from: 'coupon', to: 'ada', cents: 6135, kind: 'flow' },
  { from: 'click', to: 'ada', cents: 0, kind: 'unused' },
  { from: 'ada', to: 'kit', cents: 3735, kind: 'flow' },
  { from: 'ada', to: 'tea', cents: 2400, kind: 'flow' },
  { from: 'kit', to: 'sum', cents: 3735, kind: 'flow' },
  { from: 'tea', to: 'sum', cents: 2400, kind: 'flow' },
];

describe('the path', () => {
  test('has streams as wide as their share: 2 px, and up to 12 more', () => {
    assert.deepEqual([streamWidth(0, 100), streamWidth(50, 100), streamWidth(100, 100), streamWidth(5, 0)], [2, 8, 14, 2]);
  });

  test('adds up in every node, to the cent', () => {
    assert.ok(addsUp(links));
    assert.ok(!addsUp(links.map((link) => (link.from === 'ada' && link.to === 'tea' ? { ...link, cents: 2399 } : link))));
  });

  test('leaves a node at its edge and reaches the next one', () => {
    const drawn = streams(links, boxes, 6135, 'across');
    const kit = drawn.find(({ id }) => id === 'ada kit flow');
    assert.match(kit?.path ?? '', /^M400,[\d.]+C/);
    assert.match(kit?.path ?? '', /600,30$/);
    const down = streams(links, boxes, 6135, 'down').find(({ id }) => id === 'coupon ada flow');
    assert.match(down?.path ?? '', /^M[\d.]+,60C/);
  });

  test('draws streams of the same node side by side, in the order of the nodes', () => {
    const startOf = (id: string) =>
      Number(/^M400,([\d.]+)/.exec(streams(links, boxes, 6135, 'across').find((each) => each.id === id)?.path ?? '')?.[1]);
    const [kit, tea] = [startOf('ada kit flow'), startOf('ada tea flow')];
    const room = (streamWidth(3735, 6135) + streamWidth(2400, 6135)) / 2 + 1;
    assert.ok(Math.abs(tea - kit - room) < 0.01, `${kit} and ${tea}`);
  });

  test('ends an unused signal in a dot before its target', () => {
    const [unused] = streams(links, boxes, 6135, 'across').filter(({ kind }) => kind === 'unused');
    assert.equal(unused?.end?.x, 278);
    assert.equal(unused?.width, 2);
  });

  test('leaves out links to nodes that are not shown', () => {
    assert.equal(streams([{ from: 'coupon', to: 'hidden', cents: 1, kind: 'flow' }], boxes, 1, 'across').length, 0);
  });
});
