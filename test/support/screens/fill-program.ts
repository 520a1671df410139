// A program with something of everything that the screens show: affiliates of every status, groups, orders over two
// months, refunds, held commissions, orders without an affiliate, names of every length.
import { readFileSync } from 'node:fs';
import { paddleEvent, transaction } from '../../../server/connections/stores/examples/paddle.ts';
import { aClick, aCoupon, aDomain, aGroup, anAffiliate, anOrder, aProduct, aRule } from '../builders.ts';
import type { TestMember, TestProgram, TestService } from '../harness.ts';
import { openJoinForm } from '../join/applicant.ts';
import { anInvoiceAgreement, anInvoiceIssuer } from '../money/invoices.ts';
import { aStore } from '../stores/stores.ts';

const firstNames = ['Ada', 'Mateo', 'Zoë', 'Freya', 'Noor', 'Leo', 'Ines', 'Kofi', 'Mei', 'Oskar', 'Priya', 'Tomás'];
const lastNames = ['Lindqvist', 'Castillo', 'Marino', "O'Brien", 'Haddad', 'Brandt', 'Featherstonehaugh-Montgomery', 'Mensah'];
const statuses = ['active', 'active', 'active', 'active', 'active', 'pending', 'suspended', 'rejected', 'archived'];
const affiliateCount = 36;
const orderCount = 60;
const productCount = 20;
/** Long amounts must fit, too. */
const largeOrderCents = 987_654_321;

/** Fills the program through the API, which takes two months of the service's clock. Returns ids for screens that show one thing. */
export async function fillProgram(service: TestService, program: TestProgram): Promise<Record<string, string>> {
  const groupIds = [await aGroup(service, 'Clinicians', program), await aGroup(service, 'Creators', program)];
  await aRule(service, { name: 'Everyone earns 12.5%', type: 'percentage', rate: 12.5 }, program);
  for (let index = 0; index < productCount; index += 1)
    await aProduct(
      service,
      { name: `Evening tea no. ${index}`, category: 'Teas', sku: `TEA-${index}`, externalId: `tea-${index}` },
      program,
    );
  const sellers = [];
  for (let index = 0; index < affiliateCount; index += 1) {
    const person = personOf(index, groupIds);
    const affiliate = await anAffiliate(service, person, program);
    if (person.status === 'active') sellers.push(affiliate);
  }
  for (const { id } of sellers) await aClick(service, id, program);
  const code = await aCoupon(service, { affiliateId: sellers[0]?.id ?? '', code: 'ADA15' }, program);
  const orders = [];
  for (let index = 0; index < orderCount; index += 1) {
    const seller = sellers[(index * index) % sellers.length];
    const credit = index % 4 === 0 ? { couponCode: code.code as string } : { affiliateId: seller?.id };
    orders.push(await anOrder(service, orderOf(index, credit), program));
    service.clock.advance({ days: 1, minutes: index * 7 });
  }
  await anOrder(service, { orderId: 'FF-1900', affiliateId: sellers[0]?.id, amountCents: largeOrderCents }, program);
  const send = (path: string, body: object) => service.request('POST', path, { key: program.key, body });
  for (const index of [3, 17, 40]) await send('/v1/refunds', { refundId: `re-${index}`, orderId: `FF-${1000 + index}`, amountCents: 900 });
  for (const index of [1, 2, 3]) await send('/v1/conversions', { orderId: `FF-${2000 + index}`, amountCents: 7450 });
  await send('/v1/leads', { externalId: 'signup-1', affiliateId: sellers[1]?.id, customer: { externalId: 'c-900' } });
  const dana = await service.asMember('owner', { name: 'Dana Calder', program });
  await addReviewItems(service, program, { sellers, dana });
  await addAnnouncements(dana, program);
  await addResources(dana, program);
  const batchId = await payTwo(service, program, sellers);
  const schedule = { isActive: true, holidays: ['2026-12-25', '2027-01-01'] };
  await service.request('PATCH', `${program.path}/payouts/schedule`, { key: program.key, body: schedule });
  const storeId = await addConnections(service, program);
  await addDomains(service, program);
  await service.drain();
  return { affiliateId: sellers[0]?.id ?? '', conversionId: orders[0].conversionId ?? orders[0].id, batchId, storeId };
}

/** A domain that leads to another server, and one whose records are awaited. */
async function addDomains(service: TestService, program: TestProgram): Promise<void> {
  const host = 'go.fernandfield.example';
  service.ctx.findDnsRecords = async (name, type) => (name === host && type === 'A' ? ['198.51.100.7'] : []);
  await aDomain(service, host, program);
  await aDomain(service, 'links.fernandfield.example', program);
}

/** Pays two affiliates manually: one payout is paid, with an invoice, the other is open. Returns the id of the batch. */
async function payTwo(service: TestService, program: TestProgram, sellers: readonly { id: string }[]): Promise<string> {
  const send = (path: string, body: object) => service.request('POST', `${program.path}/payouts/${path}`, { key: program.key, body });
  const affiliateIds = sellers.slice(0, 4).map(({ id }) => id);
  await anInvoiceIssuer(service, program);
  for (const affiliateId of affiliateIds) await anInvoiceAgreement(service, { program, affiliateId });
  const { body, text } = await send('dispatch', { affiliateIds, minimumPayoutCents: 0, note: 'First payday' });
  if (!body.batch) throw new Error(text);
  await send(`${body.payouts[0].id}/mark-paid`, { reference: 'Wire 1' });
  return body.batch.id;
}

function personOf(index: number, groupIds: readonly string[]) {
  const firstName = firstNames[index % firstNames.length] ?? '';
  const lastName = lastNames[(index * 3) % lastNames.length] ?? '';
  const groupId = index % 3 === 2 ? {} : { groupId: groupIds[index % 3] ?? '' };
  return Object.assign(
    { firstName, lastName, email: `affiliate${index}@example.com`, status: statuses[index % statuses.length] ?? '' },
    groupId,
  );
}

function orderOf(index: number, credit: object) {
  const order = { orderId: `FF-${1000 + index}`, amountCents: 4980 + ((index * 7919) % 23_000) };
  return Object.assign(order, { customer: { externalId: `c-${index}` } }, credit);
}

/** A payout provider, and a store that has sent an order. Returns the id of the store. */
async function addConnections(service: TestService, program: TestProgram): Promise<string> {
  const body = { type: 'manual', name: 'Bank transfers' };
  const created = await service.request('POST', `${program.path}/providers`, { key: program.key, body });
  if (created.status !== 201) throw new Error(created.text);
  const store = await aStore(service, 'paddle', program);
  const sale = paddleEvent('evt_1', 'transaction.completed', transaction());
  await store.send({ id: 'evt_1', topic: 'transaction.completed', body: sale });
  return store.id;
}

const bio = 'Three things I use with my patients, and what I tell them about sleep.';

/** Something of every kind for the review inbox: a changed page with a restricted phrase, a new page, a fraud alert, a claim. */
async function addReviewItems(
  service: TestService,
  program: TestProgram,
  { sellers, dana }: { sellers: readonly { id: string; email: string }[]; dana: TestMember },
) {
  const [ada, zoe, leo] = sellers;
  if (!ada || !zoe || !leo) throw new Error('Too few affiliates sell.');
  await openJoinForm(dana, program, { intro: 'We look for people who know their subject.' });
  const post = async (path: string, body: object, isApp = false) => {
    const answer = isApp
      ? await dana.request('POST', `/app/programs/${program.programId}${path}`, { body })
      : await service.request('POST', `${program.path}${path}`, { key: program.key, body });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.body;
  };
  const tea = await aProduct(service, { name: 'Sleep tea' }, program);
  const oil = await aProduct(service, { name: 'Lavender oil' }, program);
  const page = { affiliateId: ada.id, pageTitle: 'Calm evenings', isPublished: true, templateId: 'clinical' };
  const first = { headline: 'Calm evenings', bioText: bio, featuredProductIds: [tea] };
  await post('/landing-pages/ada', Object.assign({}, page, first));
  await post('/landing-pages/ada/review', { revision: 1, verdict: 'approved' }, true);
  const links = [{ label: 'Newsletter', url: 'https://letters.example/ada' }];
  const second = {
    headline: 'What I recommend for calmer evenings',
    bioText: `${bio} They cure insomnia.`,
    featuredProductIds: [oil],
    links,
  };
  await post('/landing-pages/ada', Object.assign({}, page, second));
  await service.pool.query(`insert into program_brands (program_id, restricted_phrases, updated_at) values ($1, '{cure}', now())`, [
    program.programId,
  ]);
  await post('/landing-pages/zoe', {
    affiliateId: zoe.id,
    pageTitle: "Zoë's favourites",
    headline: 'What I drink after a show',
    isPublished: true,
  });
  const customer = { email: leo.email };
  await anOrder(service, { orderId: 'FF-3001', affiliateId: leo.id, amountCents: 24_900, customer }, program);
  const soon = { startsOn: '2026-01-01', endsOn: '2099-12-31' };
  const challenge = { name: 'Ten sales', description: 'Bring ten sales this season.', milestone: 'orders', targetOrders: 10 };
  await post('/bounties', { ...challenge, ...soon, rewardCents: 5000, budgetCents: 100_000 });
  const film = { name: 'Video review', description: 'Show how you use our products.', milestone: 'content', rewardCents: 2500 };
  const { id: bountyId } = await post('/bounties', film);
  const content = { url: 'https://video.example.com/watch/frost', note: 'The sunscreen is at 2:10.' };
  await post('/bounty-submissions', { bountyId, affiliateId: ada.id, ...content });
  await post('/claims', { affiliateId: ada.id, orderId: 'FF-2001', note: 'She bought it after my newsletter of Sunday.' });
}

/** One announcement that was sent, and a draft. */
async function addAnnouncements(dana: TestMember, { programId }: TestProgram): Promise<void> {
  const path = `/app/programs/${programId}/announcements`;
  const write = async (subject: string): Promise<string> => {
    const text = { subject, heading: 'Hello {firstName}', body: 'The winter teas are here.\nYou find pictures in your account.' };
    return (await dana.request('POST', path, { body: { texts: { en: text } } })).body.id;
  };
  const sent = await dana.request('POST', `${path}/${await write('Winter teas at {program}')}/send`, { body: {} });
  if (sent.status !== 200) throw new Error(sent.text);
  await write('A bonus for every first order in December');
}

/** A text, an image and a file. */
async function addResources(dana: TestMember, { path }: TestProgram): Promise<void> {
  const content = readFileSync('server/operations/demo/pictures/logo-256.webp').toString('base64');
  for (const resource of [
    { kind: 'text', title: 'Caption', text: 'My winter tea is from {program}: {link}', language: 'en' },
    { kind: 'image', title: 'Logo', description: 'On a light background.', file: { name: 'logo.webp', content } },
    { kind: 'file', title: 'Brand guide', file: { name: 'brand.txt', content: 'Q2FsbSBhbmQgY2xlYXI=' } },
  ]) {
    const added = await dana.request('POST', `${path}/resources`, { body: resource });
    if (added.status !== 201) throw new Error(added.text);
  }
}
