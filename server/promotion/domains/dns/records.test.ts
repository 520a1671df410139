import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCheckDelayMs } from '../../../platform/lib/network/dns-check.ts';
import { findAddressProblem, judgeOwnership, toRecords, toStatus } from './records.ts';
import type { FoundRecords } from './target.ts';

const target = { host: 'affiliates.test', addresses: [] };
const found = (given: Partial<FoundRecords>): FoundRecords => ({
  txt: [],
  cname: null,
  addresses: [],
  targets: ['203.0.113.10'],
  ...given,
});

test('a host leads here by its CNAME, or if every one of its addresses is ours', () => {
  for (const [given, problem] of [
    [{}, 'address_missing'],
    [{ cname: 'affiliates.test' }, null],
    [{ cname: 'other.test' }, 'address_different'],
    [{ cname: 'other.test', addresses: ['203.0.113.10'] }, null],
    [{ addresses: ['203.0.113.10'] }, null],
    [{ addresses: ['203.0.113.10', '198.51.100.1'] }, 'address_different'],
    [{ addresses: ['198.51.100.1'] }, 'address_different'],
    [{ addresses: ['203.0.113.10'], targets: [] }, 'address_different'],
  ] as const) {
    const records = found({ ...given, targets: [...('targets' in given ? given.targets : ['203.0.113.10'])] } as Partial<FoundRecords>);
    assert.equal(findAddressProblem(target, records), problem, JSON.stringify(given));
  }
});

test('an owner keeps a host without the record, until another program has it and the owner does not', () => {
  const [mine, theirs] = ['program=mine', 'program=theirs'];
  for (const [ownerId, txt, judged] of [
    [null, [], 'missing'],
    [null, [theirs], 'missing'],
    [null, [mine], 'gained'],
    ['mine', [], 'kept'],
    ['mine', [theirs], 'kept'],
    ['theirs', [], 'taken'],
    ['theirs', [theirs], 'taken'],
    ['theirs', [mine, theirs], 'taken'],
    ['theirs', [mine], 'gained'],
  ] as const)
    assert.equal(judgeOwnership({ programId: 'mine', ownerId }, { txt: [...txt] }), judged, `${ownerId} ${txt}`);
});

test('missing records are pending until the domain was active once', () => {
  assert.equal(toStatus(null, false), 'active');
  for (const problem of ['ownership_missing', 'address_missing'] as const) {
    assert.equal(toStatus(problem, false), 'pending');
    assert.equal(toStatus(problem, true), 'misconfigured');
  }
  for (const problem of ['address_different', 'taken'] as const) assert.equal(toStatus(problem, false), 'misconfigured');
});

test('checks become rarer with the age of a domain that does not work', () => {
  const hour = 3_600_000;
  const delays = [0, 23, 25, 400].map((hours) => toCheckDelayMs(false, hours * hour));
  assert.deepEqual(delays, [300_000, 300_000, hour, 24 * hour]);
});

test('an installation without a host name is reached by A and AAAA records', () => {
  const records = toRecords({
    programId: 'p',
    host: 'go.acme.com',
    target: { host: null, addresses: ['203.0.113.10', '2001:db8::1'] },
    found: null,
  });
  assert.deepEqual(
    records.map(({ type, name, value }) => [type, name, value]),
    [
      ['A', 'go.acme.com', '203.0.113.10'],
      ['AAAA', 'go.acme.com', '2001:db8::1'],
      ['TXT', '_tributary.go.acme.com', 'program=p'],
    ],
  );
});
