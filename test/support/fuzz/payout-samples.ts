// Payouts in every state that an operation asks for, and the requests that would be taken.
import assert from 'node:assert/strict';
import { anAffiliate } from '../builders.ts';
import type { TestProgram, TestService } from '../harness.ts';

export type PayoutIds = {
  openPayout: string;
  cancelledPayout: string;
  spentPayout: string;
  openBatch: string;
  waitingBatch: string;
  spentBatch: string;
  rejectedBatch: string;
  discrepancy: string;
  due: string;
  settingChange: string;
  spentSettingChange: string;
};
type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

/** A payout or batch for each operation that completes one, and an affiliate with a payout due. */
export async function payoutSampleRows(service: TestService, program: TestProgram = service.program): Promise<PayoutIds> {
  const ask = async (method: string, path: string, body: object) => {
    const response = await service.request(method, `${program.path}/${path}`, { body, key: program.key });
    assert.ok(response.status < 300, response.text);
    return response.body;
  };
  // So high that dispatches pay only affiliates that they name, and leave these unchanged.
  const { id: groupId } = await ask('POST', 'groups', { name: `Patient ${Math.random()}`, minimumPayoutCents: 1_000_000 });
  const earner = async () => {
    const { id } = await anAffiliate(service, { status: 'active', groupId }, program);
    await ask('POST', 'commissions', { affiliateId: id, amountCents: 10_000, note: 'sample' });
    return id;
  };
  const paid = async (): Promise<{ batch: string; payout: string }> => {
    const { batch, payouts } = await ask('POST', 'payouts/dispatch', { affiliateIds: [await earner()], minimumPayoutCents: 0 });
    return { batch: batch.id, payout: payouts[0].id };
  };
  // With two owners, each of them can approve what a key of the command line requests.
  await service.asMember('owner', { program });
  const approver = await service.asMember('owner', { program });
  const setApproval = async (payoutApprovalCents: number | null) => {
    const changed = await service.request('PATCH', program.path, { body: { payoutApprovalCents }, key: program.key });
    assert.equal(changed.status, 200, changed.text);
  };
  await setApproval(1);
  const waiting = await paid();
  await setApproval(null);
  const { pendingChanges } = (await service.request('GET', program.path, { key: program.key })).body;
  const pending = pendingChanges.find(({ field }: { field: string }) => field === 'payoutApprovalCents');
  const approved = await approver.request('POST', `${program.path}/setting-changes/${pending.id}/approve`, { body: {} });
  assert.equal(approved.status, 200, approved.text);
  const [open, spent, cancelled] = [await paid(), await paid(), await paid()];
  await ask('POST', `payouts/${cancelled.payout}/cancel`, {});
  return {
    openPayout: open.payout,
    openBatch: (await paid()).batch,
    waitingBatch: waiting.batch,
    spentBatch: (await paid()).batch,
    rejectedBatch: (await paid()).batch,
    spentPayout: spent.payout,
    cancelledPayout: cancelled.payout,
    due: await earner(),
    discrepancy: await aDiscrepancy(service, program),
    settingChange: await aSettingChange(service, program, 'payoutApprovalCents'),
    spentSettingChange: await aSettingChange(service, program, 'contactEmail'),
  };
}

async function aDiscrepancy(service: TestService, program: TestProgram): Promise<string> {
  const body = { type: 'csv', name: 'Bank', isDefault: false };
  const { body: provider } = await service.request('POST', `${program.path}/providers`, { body, key: program.key });
  const id = service.ctx.ids.uuid();
  await service.pool.query(
    `insert into payout_discrepancies (program_id, id, provider_id, kind, reference, created_at, recorded_values)
     values ($1, $2, $3, 'missing_payment', 'sample', now(), '{"amount_cents": null}')`,
    [program.programId, id, provider.id],
  );
  return id;
}

/** Requested by a key that no longer exists, if no other is given. */
async function aSettingChange(
  service: TestService,
  program: TestProgram,
  field: string,
  requestedBy = service.ctx.ids.uuid(),
): Promise<string> {
  const { rows } = await service.pool.query(
    `insert into setting_changes (program_id, id, field, value, requested_by, requested_at, effective_at)
     values ($1, $2, $3, $4, $5, now(), '2100-01-01') on conflict (program_id, field) do update set value = excluded.value
     returning id`,
    [program.programId, service.ctx.ids.uuid(), field, field === 'taxForms' ? '"off"' : 'null', requestedBy],
  );
  return rows[0].id;
}

/** The same by the part of a path that names them. */
export async function payoutRows(service: TestService, program: TestProgram): Promise<Record<string, string>> {
  const ids = await payoutSampleRows(service, program);
  const me = await service.request('GET', '/v1/me', { key: program.key });
  // Requested by the key that the tests use, so that it can't be approved by accident.
  const settingChange = await aSettingChange(service, program, 'taxForms', me.body.apiKey.id);
  return {
    payouts: ids.openPayout,
    'payout-receipts': ids.openPayout,
    batches: ids.openBatch,
    discrepancies: ids.discrepancy,
    'setting-changes': settingChange,
  };
}

/** A request of each endpoint that would be taken. */
export function payoutSamples(serial: number, ids: PayoutIds): Record<string, Sample> {
  const wanted = { affiliateIds: [ids.due], cutoffAt: '2026-03-01T12:00:00Z', currency: 'USD', minimumPayoutCents: serial % 7, note: 'n' };
  return {
    'payouts.due': [{}, undefined],
    'payouts.requestMissing': [{}, { reason: 'no_payout_method', affiliateIds: [ids.due] }],
    'payouts.reconciliation': [{}, undefined],
    'payouts.forecast': [{}, undefined],
    'metrics.get': [{}, undefined],
    'funnel.get': [{}, undefined],
    'cohorts.get': [{}, undefined],
    'payoutSchedule.get': [{}, undefined],
    'payoutSchedule.update': [{}, { isActive: true, frequency: 'weekly', dayOfWeek: 5, holidays: ['2026-12-25'] }],
    'payouts.dispatch': [{}, { ...wanted, dryRun: serial % 2 === 0 }],
    'payoutBatches.list': [{}, undefined],
    'payoutBatches.get': [{ id: ids.openBatch }, undefined],
    'payoutBatches.approve': [{ id: ids.waitingBatch }, {}],
    'payoutBatches.export': [{ id: ids.openBatch }, {}],
    'payoutBatches.markPaid': [{ id: ids.spentBatch }, { reference: `r${serial}` }],
    'payoutBatches.cancel': [{ id: ids.rejectedBatch }, { note: `r${serial}` }],
    'payouts.reconcile': [{}, { from: '2026-02-01T00:00:00Z', acknowledge: true }],
    'payoutDiscrepancies.list': [{}, undefined],
    'payoutDiscrepancies.get': [{ id: ids.discrepancy }, undefined],
    'payoutDiscrepancies.resolve': [{ id: ids.discrepancy }, { note: `r${serial}` }],
    'payoutReceipts.get': [{ id: ids.openPayout }, undefined],
    'payouts.get': [{ id: ids.openPayout }, undefined],
    'payouts.markPaid': [{ id: ids.openPayout }, { reference: `r${serial}` }],
    'payouts.cancel': [{ id: ids.spentPayout }, { note: 'r', confirmNotPaid: serial % 2 === 0 }],
    'payouts.retry': [{ id: ids.cancelledPayout }, {}],
    'ledger.journal': [{}, undefined],
    'settingChanges.approve': [{ id: ids.settingChange }, {}],
    'settingChanges.cancel': [{ id: ids.spentSettingChange }, {}],
  };
}
