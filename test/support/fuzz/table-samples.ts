// Valid requests for the endpoints behind the table of affiliates: decisions, bulk changes, imports, notes and views.
import assert from 'node:assert/strict';
import { anAffiliate } from '../builders.ts';
import type { TestMember, TestProgram, TestService } from '../harness.ts';

type TableIds = {
  affiliate: string;
  pending: string;
  changeSet: string;
  note: string;
  savedView: string;
  task: string;
  finishedExport: string;
  openExport: string;
  finishedSimulation: string;
  openSimulation: string;
};

/** The rows of a program that these samples name, created by one of its members. */
export async function tableRows(service: TestService, program: TestProgram, member: TestMember): Promise<TableIds> {
  const base = `/app/programs/${program.programId}`;
  const post = async (path: string, body: object) => {
    const answer = await member.request('POST', base + path, { body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  // An export continues in the background only with more rows than these samples have.
  const anOpenExport = async () => {
    const { id } = await post('/exports', { list: 'products', rows: 'all' });
    await service.pool.query(`update background_tasks set status = 'queued', finished_at = null where id = $1`, [id]);
    return id;
  };
  const aSimulation = async () => {
    const { id } = await post('/rule-simulations', span);
    await service.pool.query(`update background_tasks set status = 'queued', finished_at = null where id = $1`, [id]);
    return id;
  };
  const { id: affiliate } = await anAffiliate(service, {}, program);
  const decided = await post(`/affiliates/${affiliate}/decide`, { decision: 'suspend', sendEmail: false });
  const imported = await post('/affiliates/import', { csv: 'email,name\nimported@example.com,Ada Lovelace\n', sendInvite: false });
  return {
    affiliate,
    pending: (await anAffiliate(service, { autoApprove: false }, program)).id,
    changeSet: decided.changeSetId,
    note: (await post(`/affiliates/${affiliate}/notes`, { note: 'N' })).id,
    savedView: (await post('/saved-views', { screen: 'affiliates', name: 'Mine', state: {} })).id,
    task: imported.backgroundTaskId,
    finishedExport: (await post('/exports', { list: 'products', rows: 'all' })).id,
    openExport: await anOpenExport(),
    finishedSimulation: (await post('/rule-simulations', span)).id,
    openSimulation: await aSimulation(),
  };
}

/** The same rows, by the part of the path that names them. */
export function tableRowsByNoun({
  changeSet,
  note,
  savedView,
  task,
  finishedExport,
  finishedSimulation,
}: TableIds): Record<string, string> {
  return {
    'affiliate-change-sets': changeSet,
    'affiliate-notes': note,
    'saved-views': savedView,
    'background-tasks': task,
    exports: finishedExport,
    'rule-simulations': finishedSimulation,
  };
}

const span = { from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };

type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

export function tableSamples(serial: number, ids: TableIds): Record<string, Sample> {
  const affiliate = { id: ids.affiliate };
  const email = `many${serial}@example.com`;
  return {
    'overview.get': [{}, undefined],
    'checklist.get': [{}, undefined],
    'affiliates.performance': [affiliate, undefined],
    'affiliateTable.export': [{}, undefined],
    'affiliateTable.summary': [affiliate, undefined],
    'affiliateTable.activity': [affiliate, undefined],
    'affiliates.decide': [affiliate, { decision: serial % 2 ? 'approve' : 'suspend', note: 'N', sendEmail: false }],
    'affiliateChangeSets.undo': [{ id: ids.changeSet }, undefined],
    'affiliates.bulk': [{}, { ids: [ids.affiliate], change: { kind: 'archive' }, note: null, dryRun: true }],
    'affiliates.resendInvitation': [{ id: ids.pending }, { message: 'M' }],
    'affiliates.inviteMany': [{}, { affiliates: [{ email, firstName: 'Ada', lastName: 'L' }], message: 'M', dryRun: true }],
    'affiliates.import': [{}, { csv: `email,name\n${email},Ada\n`, columns: { name: 'firstName' }, dryRun: true }],
    'affiliateNotes.create': [affiliate, { note: 'N' }],
    'affiliateNotes.update': [{ id: ids.note }, { note: `N${serial}` }],
    'affiliateNotes.delete': [{ id: ids.note }, undefined],
    'preferences.get': [{}, undefined],
    'preferences.update': [{}, { preferences: { affiliates: { density: 'compact' } } }],
    'savedViews.create': [{}, { screen: 'affiliates', name: `V${serial}`, state: { sort: '-salesCents' }, isShared: true }],
    'savedViews.update': [{ id: ids.savedView }, { name: `W${serial}`, isShared: false }],
    'savedViews.delete': [{ id: ids.savedView }, undefined],
    'exports.create': [{}, { list: 'products', rows: 'all', query: 'sort=name', ids: [] }],
    'exports.get': [{ id: ids.finishedExport }, undefined],
    'exports.cancel': [{ id: ids.openExport }, undefined],
    'exports.download': [{ id: ids.finishedExport }, undefined],
    'ruleSimulations.create': [{}, { ...span, add: [{ name: 'x', type: 'flat', amountCents: 5 }], replace: [], archiveRuleIds: [] }],
    'ruleSimulations.get': [{ id: ids.finishedSimulation }, undefined],
    'ruleSimulations.cancel': [{ id: ids.openSimulation }, undefined],
    'backgroundTasks.get': [{ id: ids.task }, undefined],
    'backgroundTasks.cancel': [{ id: ids.task }, undefined],
  };
}
