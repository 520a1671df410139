import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createGate, createGates } from './gate.ts';

const refuse = () => new Error('full');

describe('a gate', () => {
  test('admits so many at once, the others in order of arrival as places become free, and refuses beyond its queue', async () => {
    const gate = createGate({ atOnce: 2, maxWaiting: 2, refuse });
    const order: string[] = [];
    const enter = async (name: string) => {
      const leave = await gate.enter();
      order.push(name);
      return leave;
    };
    const entries = ['a', 'b', 'c', 'd'].map(enter);
    await turn();
    assert.deepEqual(order, ['a', 'b']);
    await assert.rejects(gate.enter(), /full/);
    const leaveFirst = await entries[0];
    leaveFirst?.();
    leaveFirst?.();
    await turn();
    assert.deepEqual(order, ['a', 'b', 'c']);
    for (const entry of entries) (await Promise.race([entry, turn()]))?.();
    await turn();
    assert.deepEqual(order, ['a', 'b', 'c', 'd']);
    (await entries[3])?.();
    assert.ok(gate.isIdle());
  });

  test('refuses what has waited too long, and keeps its place for the next', async () => {
    const gate = createGate({ atOnce: 1, maxWaiting: 5, maxWaitMs: 20, refuse });
    const leave = await gate.enter();
    await assert.rejects(gate.enter(), /full/);
    const next = gate.enter();
    leave();
    (await next)();
    assert.ok(gate.isIdle());
  });

  test('of one key does not hold up another', async () => {
    const gates = createGates({ atOnce: 1, maxWaiting: 0, refuse });
    const leave = await gates.enter('a');
    await assert.rejects(gates.enter('a'), /full/);
    (await gates.enter('b'))();
    leave();
    (await gates.enter('a'))();
  });
});
