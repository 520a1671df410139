import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelledBuckets, nearestBucket, timeShape } from './time-geometry.ts';

const size = { width: 640, height: 232, left: 50, bottom: 26 };

describe('a chart over time', () => {
  test('always shows zero, and its highest value below the top', () => {
    const shape = timeShape({ ...size, values: [50, 90, 100], compare: [], isLastIncomplete: false });
    assert.equal(shape.ticks[0]?.value, 0);
    assert.equal(shape.baseline, 206);
    assert.ok(shape.points.every(({ y }) => y >= 14 && y <= 206));
    assert.deepEqual([shape.points[0]?.x, shape.points[2]?.x], [50, 630]);
  });

  test('draws the incomplete bucket as a separate line', () => {
    const open = timeShape({ ...size, values: [1, 2, 3], compare: [], isLastIncomplete: true });
    assert.notEqual(open.openLine, '');
    assert.ok(!open.line.includes('630'));
    const closed = timeShape({ ...size, values: [1, 2, 3], compare: [], isLastIncomplete: false });
    assert.equal(closed.openLine, '');
    assert.ok(closed.line.includes('630'));
  });

  test('scales to the comparison too, and skips buckets without one', () => {
    const shape = timeShape({ ...size, values: [1, 2], compare: [100, null], isLastIncomplete: false });
    assert.ok((shape.ticks.at(-1)?.value ?? 0) >= 100);
  });

  test('has an axis without data', () => {
    const shape = timeShape({ ...size, values: [], compare: [], isLastIncomplete: false });
    assert.deepEqual([shape.points, shape.line, shape.ticks.length], [[], '', 1]);
  });

  test('labels as many buckets as fit, always the last', () => {
    const days = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1} Nov`);
    assert.deepEqual(labelledBuckets(days(30), 600), [4, 9, 14, 19, 24, 29]);
    assert.deepEqual(labelledBuckets(days(3), 600), [0, 1, 2]);
    assert.deepEqual(labelledBuckets(days(0), 600), []);
  });

  test('labels fewer buckets when labels contain a year, so that the last one does not touch its neighbour', () => {
    const labels = Array.from({ length: 60 }, () => '22 Jan 2027');
    const [last, previous] = labelledBuckets(labels, 1060).reverse();
    assert.ok(((Number(last) - Number(previous)) * 1060) / 60 > 1.5 * 65);
  });

  test('finds the bucket under the pointer', () => {
    const points = [10, 20, 30].map((x) => ({ x, y: 0 }));
    assert.deepEqual([nearestBucket(points, 0), nearestBucket(points, 24), nearestBucket([], 5)], [0, 1, null]);
  });
});
