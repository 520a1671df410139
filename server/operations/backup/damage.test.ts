// A file that is damaged, incomplete or unsuitable is rejected, and the database stays as it was.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { anAffiliate, anOrder, aRule } from '../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../test/support/harness.ts';
import { withCopyClient } from '../../../test/support/own-connections.ts';
import { fanOut } from '../../messaging/webhooks/dispatch/fan-out.ts';
import { ensureAppRole } from '../../platform/db/app-role.ts';
import { checkInvariants } from '../verify/invariants.ts';
import { DamagedBackup, encodeFile, type Frame, readFile } from './file-format.ts';
import { checkBackup } from './read-backup.ts';
import { restoreBackup, UnsuitableBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

let service: TestService;
let folder: string;
let file: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-damage-'));
  file = join(folder, 'good.backup');
  service = await openTestService();
  const ada = await anAffiliate(service, { status: 'active' });
  await aRule(service, { rate: 10 });
  for (let index = 0; index < 5; index += 1) await anOrder(service, { affiliateId: ada.id });
  await withClient((client) => writeBackup(client, { path: file, version: 'test', encryptedColumns: [] }));
});
after(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const withClient = <Result>(act: (client: pg.PoolClient) => Promise<Result>) => withCopyClient(service.pool, act);

async function restore(path: string, now = service.clock.now()) {
  const restored = await withClient((client) => restoreBackup(path, { client, boss: service.boss, now }));
  // As the next command or server does.
  await ensureAppRole(service.pool);
  return restored;
}
const count = async (table: string) => (await service.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count;

/** Writes a file that gzip accepts. */
function writePacked(name: string, content: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, gzipSync(content));
  return path;
}

describe('a file', () => {
  test('that was changed, cut or extended anywhere is rejected, and nothing is restored', async () => {
    const whole = readFileSync(file);
    const content = gunzipSync(whole);
    const damaged: string[] = [];
    const write = (name: string, bytes: Buffer) => {
      damaged.push(join(folder, name));
      writeFileSync(join(folder, name), bytes);
    };
    for (const share of [0, 0.2, 0.5, 0.9]) write(`cut-${share}`, whole.subarray(0, Math.floor(whole.length * share)));
    for (const share of [0.1, 0.6]) write(`flipped-${share}`, flip(whole, Math.floor(whole.length * share)));
    for (const share of [0, 0.001, 0.02, 0.3, 0.7, 0.99])
      damaged.push(writePacked(`changed-${share}`, flip(content, Math.floor(content.length * share))));
    damaged.push(writePacked('last-byte', flip(content, content.length - 1)));
    damaged.push(writePacked('short', content.subarray(0, -37)));
    damaged.push(writePacked('long', Buffer.concat([content, Buffer.from('D')])));
    write('text', Buffer.from('select 1;'));
    const affiliates = await count('affiliates');
    for (const path of damaged) await assert.rejects(checkBackup(path), DamagedBackup, path);
    for (const name of ['cut-0.9', 'flipped-0.6', 'changed-0.7', 'short']) await assert.rejects(restore(join(folder, name)), DamagedBackup);
    assert.ok(damaged.length > 14);
    assert.equal(await count('affiliates'), affiliates);
    assert.deepEqual((await checkInvariants(service.ctx)).filter(({ broken }) => broken.length > 0), []); // biome-ignore format: one line
  });

  test('whose rows contradict a foreign key is rejected, although its checksums match', async () => {
    const without = join(folder, 'orphans.backup');
    await withClient(async (client) => {
      await client.query('alter table conversions drop constraint conversions_affiliate_fkey');
      await client.query(`update conversions set affiliate_id = gen_random_uuid()`);
      await writeBackup(client, { path: without, version: 'test', encryptedColumns: [] });
    });
    assert.ok((await checkBackup(without)).tables.length > 80);
    await assert.rejects(restore(without), /violates foreign key constraint/);
    assert.equal(await count('conversions'), 5);
    await restore(file);
  });

  test('of a version with another schema, or without a table, is rejected', async () => {
    const newer = await rewrite('newer.backup', (frame) =>
      frame.kind === 'header'
        ? replace(frame, '"migrations":[', '"migrations":[{"name":"9999_x.sql","hash":"x","appliedAt":"2026-01-01T00:00:00Z"},')
        : frame,
    );
    await assert.rejects(restore(newer), (error) => error instanceof UnsuitableBackup && /whose migration 9999_x\.sql/.test(error.message));
    const state = { isOmitted: false };
    const incomplete = await rewrite('incomplete.backup', (frame) => {
      if (frame.kind === 'table') state.isOmitted = JSON.parse(frame.content.toString()).name === 'affiliate_notes';
      return state.isOmitted ? null : frame;
    });
    await assert.rejects(restore(incomplete), (error) => error instanceof UnsuitableBackup && /affiliate_notes/.test(error.message));
    assert.equal(await count('conversions'), 5);
  });
});

describe('a restored backup', () => {
  test('sends waiting emails that are recent, and marks older ones as failed', async () => {
    await anAffiliate(service, {});
    const waiting = join(folder, 'emails.backup');
    await withClient((client) => writeBackup(client, { path: waiting, version: 'test', encryptedColumns: [] }));
    const queued = await count(`emails where status = 'queued'`);
    assert.ok(queued > 0);
    const jobs = `pgboss.job where name = 'emails.send' and state = 'created'`;
    await service.pool.query('delete from pgboss.job');
    const recent = await restore(waiting);
    assert.deepEqual([recent.failedEmails, await count(`emails where status = 'queued'`)], [0, queued]);
    assert.ok((await count(jobs)) >= queued);
    const old = await restore(waiting, new Date(service.clock.now().getTime() + 25 * 3_600_000));
    assert.deepEqual([old.failedEmails, await count(`emails where status = 'failed'`)], [queued, queued]);
  });

  test('gives readers of lost events, and webhooks, the new events that follow', async () => {
    const { path, key } = service.program;
    const webhook = { url: 'https://brand.example/hook', eventTypes: ['affiliate.*'] };
    assert.equal((await service.request('POST', `${path}/webhooks`, { body: webhook })).status, 201);
    const read = async (cursor: string) => {
      const { body } = await service.request('GET', `${path}/events?sort=createdAt&limit=200${cursor && `&cursor=${cursor}`}`, { key });
      return { ids: body.events.map(({ objectId }: { objectId: string }) => objectId), cursor: body.nextCursor };
    };
    const taken = join(folder, 'events.backup');
    await withClient((client) => writeBackup(client, { path: taken, version: 'test', encryptedColumns: [] }));
    for (let index = 0; index < 3; index += 1) await anAffiliate(service);
    const lost = await read('');
    await restore(taken);
    await fanOut(service.ctx);
    const ends = 'select read_position = last_position as is_read from webhooks join event_log_ends using (program_id)';
    assert.deepEqual((await service.pool.query(ends)).rows, [{ is_read: true }]);
    const { id } = await anAffiliate(service);
    assert.deepEqual((await read(lost.cursor)).ids, [id]);
    assert.equal((await read('')).ids.length, lost.ids.length - 3 + 1);
    await fanOut(service.ctx);
    assert.equal(await count('webhook_deliveries'), 1);
  });

  test('signs everyone out', async () => {
    const member = await service.asMember('owner');
    const signedIn = join(folder, 'sessions.backup');
    await withClient((client) => writeBackup(client, { path: signedIn, version: 'test', encryptedColumns: [] }));
    await restore(signedIn);
    assert.equal(await count('sessions'), 0);
    assert.equal((await member.request('GET', '/app/me')).status, 401);
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0x40;
  return changed;
}

function replace(frame: Frame, from: string, to: string): Frame {
  return { ...frame, content: Buffer.from(frame.content.toString().replace(from, to)) };
}

/** A copy of the file with other frames, and a checksum that matches them. */
async function rewrite(name: string, change: (frame: Frame) => Frame | null): Promise<string> {
  async function* frames() {
    for await (const frame of readFile(file)) {
      const changed = change(frame);
      if (changed) yield changed;
    }
  }
  const parts: Buffer[] = [];
  for await (const part of encodeFile(frames())) parts.push(part);
  return writePacked(name, Buffer.concat(parts));
}
