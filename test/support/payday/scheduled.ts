// A program that pays on a schedule.
import assert from 'node:assert/strict';
import { runPayoutSchedules } from '../../../server/paying/payouts/schedule/run.ts';
import { anAffiliate, anOrder, aRule } from '../builders.ts';
import type { Answer, TestMember, TestProgram, TestService } from '../harness.ts';

export type ScheduledProgram = {
  program: TestProgram;
  finance: TestMember;
  send(method: string, path: string, body?: object): Promise<Answer>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  get(path: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read rows of every shape.
  query(text: string): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  listBatches(): Promise<any[]>;
  /** Entries of the audit log with this action. */
  auditOf(action: string): Promise<{ actor: string; before: unknown; after: Record<string, unknown> }[]>;
  listEmails(): Promise<{ to: string; subject: string; text: string }[]>;
  /** Activates the schedule: monthly, paydays stay on weekends. */
  activate(settings?: object): Promise<void>;
  /** Moves the clock to the next payday. */
  moveToPayday(): Promise<void>;
  /** Adds an affiliate who is owed a tenth of this amount. */
  earn(amountCents?: number): Promise<void>;
  /** Sets the limit with the approval of another member. */
  allow(scheduledPayoutLimitCents: number): Promise<void>;
  /** Runs the job. */
  tick(): Promise<void>;
};

export async function aScheduledProgram(service: TestService): Promise<ScheduledProgram> {
  const program = await service.newProgram(`Scheduled ${Math.random()}`);
  const send: ScheduledProgram['send'] = (method, path, body) =>
    service.request(method, `${program.path}${path}`, { key: program.key, body });
  const get: ScheduledProgram['get'] = async (path) => (await send('GET', path)).body;
  const query: ScheduledProgram['query'] = async (text) => (await service.pool.query(text, [program.programId])).rows;
  await send('PATCH', '', { holdDays: 0, minimumPayoutCents: 0 });
  await aRule(service, { rate: 10 }, program);
  return {
    program,
    finance: await service.asMember('finance', { program }),
    send,
    get,
    query,
    listBatches: async () => (await get('/payouts/batches')).batches,
    auditOf: (action) =>
      query(`select actor_kind as actor, before, after from audit_log where program_id = $1 and action = '${action}' order by id`),
    listEmails: () =>
      query(
        `select to_address as to, subject, text_body as text from emails where program_id = $1 and kind = 'payout_schedule' order by id`,
      ),
    async activate(settings = {}) {
      const { status, text } = await send('PATCH', '/payouts/schedule', { isActive: true, shift: 'none', ...settings });
      assert.equal(status, 200, text);
    },
    async moveToPayday() {
      const { next } = await get('/payouts/schedule');
      service.clock.advance({ seconds: (Date.parse(next.startsAt) - service.clock.now().getTime()) / 1000 });
    },
    async earn(amountCents = 40_000) {
      const { id } = await anAffiliate(service, { status: 'active' }, program);
      await anOrder(service, { affiliateId: id, amountCents }, program);
    },
    async allow(scheduledPayoutLimitCents) {
      const { pendingChanges } = (await send('PATCH', '', { scheduledPayoutLimitCents })).body;
      const admin = await service.asMember('admin', { program });
      const { status, text } = await admin.request('POST', `${program.path}/setting-changes/${pendingChanges[0].id}/approve`, { body: {} });
      assert.equal(status, 200, text);
    },
    tick: () => runPayoutSchedules.run(service.ctx, {}, { isLast: false }),
  };
}
