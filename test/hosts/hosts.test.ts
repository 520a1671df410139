// The service on a primary and its standby: it writes to the host that is the primary, and to none if that is unclear.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import pino from 'pino';
import { openService } from '../../server/compose.ts';
import { readConfig } from '../../server/config.ts';
import { buildApp } from '../../server/main.ts';
import { connect } from '../../server/platform/db/connect.ts';
import { openHosts } from '../../server/platform/db/hosts/follow-primary.ts';
import { openReplicatedDatabase } from '../support/hosts/replicated-database.ts';
import { until } from '../support/time/wait.ts';

const log = pino({ level: 'silent' });

describe('hosts of a database', () => {
  test('the service writes to the promoted standby without a restart, and to none while two are primaries', async (t) => {
    const database = await openReplicatedDatabase();
    t.after(() => database.close());
    const config = readConfig({ DATABASE_URL: database.url, TRIBUTARY_DEMO: '0', LOG_LEVEL: 'silent' });
    const service = await openService(config, { role: 'server', name: 'test' });
    const app = await buildApp(service.ctx);
    t.after(async () => {
      await app.close();
      await service.close();
    });
    const ready = async () => {
      const { statusCode, body } = await app.inject('/health/ready');
      return [statusCode, JSON.parse(body).error ?? null];
    };
    assert.deepEqual(await ready(), [200, null]);
    await database.primary.run('create table kept (n integer); grant all on kept to public');
    await service.pool.query('insert into kept values (1)');

    await database.primary.kill();
    await until('the primary is missed', async () => (await ready())[0] === 503);
    assert.deepEqual(await ready(), [503, 'The database is not responding.']);
    await database.promote();
    await until('the promoted host is used', async () => (await ready())[0] === 200);
    assert.deepEqual((await service.pool.query('insert into kept values (2) returning (select count(*) from kept)')).rows, [{ count: 1 }]);

    // It comes back as it was: with the same data, and as a primary.
    await database.primary.start();
    const conflict = [503, 'More than one host of the database is a primary.'];
    await until('both are seen', async () => isDeepStrictEqual(await ready(), conflict));
    await assert.rejects(service.pool.query('insert into kept values (3)'), { code: '57P03' });
    for (const host of [database.primary, database.standby])
      assert.ok(!(await host.run<{ n: number }>('select n from kept')).some(({ n }) => n === 3));

    await database.primary.stop();
    await until('one is left', async () => (await ready())[0] === 200);
  });

  test('none is opened without exactly one primary, or if the databases differ', async (t) => {
    const [database, other] = await Promise.all([openReplicatedDatabase({ isSynchronous: false }), openReplicatedDatabase()]);
    t.after(() => Promise.all([database.close(), other.close()]));
    const urlOf = (...addresses: string[]) => `postgres://tributary@${addresses.join(',')}/tributary`;
    const { primary, standby } = database;
    await assert.rejects(openHosts(urlOf(primary.address, other.primary.address), log), /The hosts have different databases\./);
    await assert.rejects(openHosts(urlOf(standby.address, '127.0.0.1:1'), log), (error: Error) => {
      assert.match(error.message, /^DATABASE_URL: No host of the database is a primary\./);
      assert.match(error.message, /run:5432 is a standby of database \d+; 127\.0\.0\.1:1 can't be reached \(connect ECONNREFUSED/);
      return true;
    });
    const hosts = await openHosts(urlOf(standby.address, primary.address), log);
    const pool = connect({ ...hosts.connection, max: 1 });
    assert.deepEqual((await pool.query('select pg_is_in_recovery() as standby')).rows, [{ standby: false }]);
    await pool.end();
    await hosts.close();
    await database.promote();
    await assert.rejects(openHosts(urlOf(standby.address, primary.address), log), /More than one host of the database is a primary\./);
  });
});
