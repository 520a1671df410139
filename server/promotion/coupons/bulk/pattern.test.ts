import assert from 'node:assert/strict';
import { test } from 'node:test';
import { couponPattern, planCodes, toPatternCode } from './pattern.ts';

const ada = { id: '1', firstName: 'Ada', lastName: 'Lovelace', referralCode: 'K7PX2M9Q' };
const none = async () => new Set<string>();

test('a pattern inserts names as capital letters, and the referral code where a name has no ASCII letter', () => {
  assert.equal(toPatternCode('{firstName}20', ada, 1), 'ADA20');
  assert.equal(toPatternCode('SPRING-{lastName}', { ...ada, lastName: "O'Brién" }, 1), 'SPRING-OBRIEN');
  assert.equal(toPatternCode('{firstName}', { ...ada, firstName: '李' }, 1), 'K7PX2M9Q');
  assert.equal(toPatternCode('{firstName}20', ada, 3), 'ADA203');
});

test('a pattern without a placeholder, with another one, or with other characters is rejected', () => {
  for (const pattern of ['SPRING20', '{email}', '{firstName} 20', '{firstName', ''])
    assert.ok(!couponPattern.safeParse(pattern).success, pattern);
  for (const pattern of ['{firstName}20', 'a-{referralCode}_x']) assert.ok(couponPattern.safeParse(pattern).success, pattern);
});

test('affiliates of the same name get different codes, and codes of the program are left out, ignoring case', async () => {
  const twins = [ada, { ...ada, id: '2' }, { ...ada, id: '3' }];
  const codes = async (find: typeof none) => (await planCodes('{firstName}20', twins, find)).map(({ code }) => code);
  assert.deepEqual(await codes(none), ['ADA20', 'ADA202', 'ADA203']);
  const taken = async (keys: readonly string[]) => new Set(keys.filter((key) => ['ada20', 'ada203'].includes(key)));
  assert.equal(new Set(await codes(taken as typeof none)).size, 3);
  assert.ok(!(await codes(taken as typeof none)).some((code) => ['ADA20', 'ADA203'].includes(code)));
});
