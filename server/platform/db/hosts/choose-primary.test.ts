// Several hosts of a database: which one is written to.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choosePrimary, describeHosts, type HostState } from './choose-primary.ts';
import { parseHosts } from './parse-hosts.ts';

const [one, two] = ['one:5432', 'two:5432'];
const primary = (address: string, databaseId = '7'): HostState => ({ address, kind: 'primary', databaseId });
const standby = (address: string, databaseId = '7'): HostState => ({ address, kind: 'standby', databaseId });
const unreachable = (address: string): HostState => ({ address, kind: 'unreachable', reason: 'connect ECONNREFUSED' });

describe('the primary of several hosts', () => {
  test('is the only one that accepts writes', () => {
    assert.deepEqual(choosePrimary([primary(one), standby(two)], null), { address: one });
    assert.deepEqual(choosePrimary([unreachable(one), primary(two)], one), { address: two });
  });

  test('stays while it can’t be reached and no other host has taken over', () => {
    assert.deepEqual(choosePrimary([unreachable(one), standby(two)], one), { address: one });
    assert.deepEqual(choosePrimary([unreachable(one), standby(two)], null), { fault: 'No host of the database is a primary.' });
  });

  test('is missing if no host is one, if two claim to be it, or if the databases differ', () => {
    assert.deepEqual(choosePrimary([standby(one), standby(two)], one), { fault: 'No host of the database is a primary.' });
    assert.deepEqual(choosePrimary([primary(one), primary(two)], one), { fault: 'More than one host of the database is a primary.' });
    assert.deepEqual(choosePrimary([primary(one), standby(two, '8')], one), { fault: 'The hosts have different databases.' });
  });

  test('is explained with the state of each host', () => {
    assert.equal(
      describeHosts([primary(one), unreachable(two)]),
      "one:5432 is a primary of database 7; two:5432 can't be reached (connect ECONNREFUSED)",
    );
  });
});

describe('a DATABASE_URL', () => {
  test('names one host or several, with the rest of the URL for each', () => {
    assert.deepEqual(parseHosts('postgres://ada:s%40fe@one:5432,two/db?sslmode=require'), [
      { address: 'one:5432', url: 'postgres://ada:s%40fe@one:5432/db?sslmode=require' },
      { address: 'two', url: 'postgres://ada:s%40fe@two/db?sslmode=require' },
    ]);
    assert.deepEqual(parseHosts('postgresql://one/db'), [{ address: 'one', url: 'postgresql://one/db' }]);
    assert.deepEqual(parseHosts('postgres://ada@%2Frun%2Fa:5432,%2Frun%2Fb:5432/db')?.length, 2);
    assert.deepEqual(parseHosts('postgres:///db?host=/run/postgresql')?.length, 1);
  });

  test('is rejected with an empty or repeated host, and with another scheme', () => {
    for (const text of ['postgres://one,/db', 'postgres://one,one/db', 'mysql://one/db', 'postgres://one:99999,two/db', 'one,two'])
      assert.equal(parseHosts(text), null, text);
  });
});
