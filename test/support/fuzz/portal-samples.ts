// Rows and valid requests of an affiliate in the portal.
import assert from 'node:assert/strict';
import { anAffiliate } from '../builders.ts';
import type { TestProgram, TestService } from '../harness.ts';
import { anInvoiceAgreement, anInvoiceIssuer } from '../money/invoices.ts';

export type PortalIds = {
  affiliate: string;
  bounty: string;
  earning: string;
  erasureRequest: string;
  payout: string;
  invoice: string;
  link: string;
  postback: string;
  resource: string;
  referralCode: string;
};

const postback = { url: 'https://tracker.example/postback?cid={sub1}', method: 'GET', eventTypes: ['commission.created'] };
const w9 = {
  kind: 'w9',
  name: 'Ada Lovelace',
  classification: 'individual',
  ssn: '123-45-6789',
  address: { street: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
  signatureName: 'Ada Lovelace',
  isCertified: true,
};
const invoiceDetails = {
  legalName: 'Ada Lovelace',
  street: 'Hauptstraße 7',
  city: 'Bonn',
  country: 'DE',
  taxNumber: '205/5000/1234',
  isSmallBusiness: true,
  language: 'de',
  agrees: true,
};
type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined, query?: string];

/** An affiliate with this address, with an earning, a named link and a postback. */
export async function portalRows(service: TestService, email: string, program: TestProgram = service.program): Promise<PortalIds> {
  const { id, referralCode } = await anAffiliate(service, { email, status: 'active' }, program);
  const user = await service.asAffiliate({ id, email }, program);
  const bonus = { affiliateId: id, amountCents: 500, note: 'Welcome' };
  const granted = await service.request('POST', `${program.path}/commissions`, { body: bonus, key: program.key });
  assert.equal(granted.status, 201, granted.text);
  const dispatch = { affiliateIds: [id], minimumPayoutCents: 0 };
  const details = await user.request('POST', `/app/portal/${program.programId}/payout-details`, { body: { method: 'paypal', email } });
  assert.equal(details.status, 201, details.text);
  const paid = await service.request('POST', `${program.path}/payouts/dispatch`, { body: dispatch, key: program.key });
  assert.equal(paid.status, 201, paid.text);
  const batch = `${program.path}/payouts/batches/${paid.body.batch.id}/mark-paid`;
  await anInvoiceIssuer(service, program);
  await anInvoiceAgreement(service, { program, affiliateId: id });
  assert.equal((await service.request('POST', batch, { body: {}, key: program.key })).status, 200);
  const { invoices } = (await service.request('GET', `${program.path}/invoices?affiliateId=${id}`, { key: program.key })).body;
  const link = await user.request('POST', `/app/portal/${program.programId}/links`, { body: { name: 'Newsletter' } });
  assert.equal(link.status, 201, link.text);
  const registered = await user.request('POST', `/app/portal/${program.programId}/postbacks`, { body: postback });
  assert.equal(registered.status, 201, registered.text);
  const terms = { name: 'Review', description: 'Write a review.', milestone: 'content', rewardCents: 100 };
  const bounty = await service.request('POST', `${program.path}/bounties`, { body: terms, key: program.key });
  assert.equal(bounty.status, 201, bounty.text);
  const price = { kind: 'file', title: 'Prices', file: { name: 'prices.txt', content: 'VGVhOiAkMTQuOTA=' } };
  const resource = await service.request('POST', `${program.path}/resources`, { body: price, key: program.key });
  assert.equal(resource.status, 201, resource.text);
  assert.equal((await user.request('POST', `/app/portal/${program.programId}/erasure-request`)).status, 200);
  const { rows } = await service.pool.query('select id from erasure_requests where affiliate_id = $1', [id]);
  return {
    affiliate: id,
    erasureRequest: rows[0].id,
    bounty: bounty.body.id,
    earning: granted.body.id,
    payout: paid.body.payouts[0].id,
    invoice: invoices[0].id,
    link: link.body.id,
    postback: registered.body.id,
    resource: resource.body.id,
    referralCode,
  };
}

/** The rows by the part of the path that names them. */
export function portalRowsByNoun(ids: PortalIds): Record<string, string> {
  const { bounty, earning, erasureRequest, invoice, link, payout, postback: registered, resource } = ids;
  return {
    'erasure-requests': erasureRequest,
    bounties: bounty,
    earnings: earning,
    invoices: invoice,
    links: link,
    payouts: payout,
    postbacks: registered,
    resources: resource,
  };
}

export function portalSamples(serial: number, ids: PortalIds): Record<string, Sample> {
  const { affiliate, earning, link, referralCode } = ids;
  const id = ids.postback;
  return {
    ...librarySamples(serial, ids),
    'portal.account': [{}, undefined],
    'portal.updateAccount': [{}, { firstName: 'Ada' }],
    'portal.downloadOwnData': [{}, undefined],
    'portal.home': [{}, undefined],
    'portal.links': [{}, undefined],
    'portal.createLink': [{}, { name: `Channel ${serial}` }],
    'portal.deleteLink': [{ id: link }, undefined],
    'portal.slugCheck': [{}, undefined, '?slug=ada'],
    'portal.setSlug': [{}, { vanitySlug: `own-${serial}` }],
    'portal.qr': [{}, undefined],
    'portal.earnings': [{}, undefined],
    'portal.earning': [{ commissionId: earning }, undefined],
    'portal.claims': [{}, undefined],
    'portal.createClaim': [{}, { orderId: `claimed-${serial}` }],
    'portal.rates': [{}, undefined],
    'portal.bounties': [{}, undefined],
    'portal.submitContent': [{ id: ids.bounty }, { url: 'https://blog.example.com/review', note: 'N' }],
    'portal.payouts': [{}, undefined],
    'portal.payout': [{ id: ids.payout }, undefined],
    'portal.statement': [{}, undefined],
    'portal.payoutDetails': [{}, undefined],
    'portal.setPayoutDetails': [{}, { method: 'paypal', email: `paid${serial}@example.com` }],
    'portal.updatePayoutDetails': [{}, { payoutCurrency: null }],
    'portal.deletePayoutDetails': [{}, undefined],
    'portal.taxForm': [{}, undefined],
    'portal.submitTaxForm': [{}, w9],
    'portal.invoiceDetails': [{}, undefined],
    'portal.agreeInvoices': [{}, invoiceDetails],
    'portal.withdrawInvoices': [{}, undefined],
    'portal.invoices': [{}, undefined],
    'portal.downloadInvoice': [{ id: ids.invoice }, undefined],
    'invoiceIssuer.get': [{}, undefined],
    'invoiceIssuer.update': [{}, { legalName: `Fern & Field ${serial}`, numberPrefix: `F${serial % 100}` }],
    'invoiceAgreements.get': [{ id: affiliate }, undefined],
    'invoices.get': [{ id: ids.invoice }, undefined],
    'invoices.document': [{ id: ids.invoice }, undefined],
    'portal.postbacks': [{}, undefined],
    'portal.createPostback': [{}, postback],
    'portal.updatePostback': [{ id }, { ...postback, method: 'POST', status: 'active' }],
    'portal.testPostback': [{ id }, undefined],
    'portal.postbackDeliveries': [{ id }, undefined],
    'portal.deletePostback': [{ id }, undefined],
    'appAffiliates.postbacks': [{ affiliateId: affiliate }, undefined],
    'appAffiliates.blockPostback': [{ affiliateId: affiliate, id }, { isBlocked: true }],
    'portal.leave': [{}, { referralCode }],
  };
}

/** Of the resources, and of the data about the affiliate. */
function librarySamples(serial: number, ids: PortalIds): Record<string, Sample> {
  const { affiliate } = ids;
  return {
    'ownData.download': [{}, undefined],
    'portal.erasure': [{}, undefined],
    'portal.requestErasure': [{}, undefined],
    'portal.withdrawErasure': [{}, undefined],
    'erasureRequests.list': [{}, undefined],
    'erasureRequests.decide': [{ id: ids.erasureRequest }, { decision: 'rejected', note: 'N' }],
    'portal.resources': [{}, undefined],
    'portal.getResourceFile': [{ id: ids.resource }, undefined],
    'resources.create': [{}, { kind: 'text', title: `T${serial}`, text: 'Try {link}', description: 'D', language: 'de', position: 1 }],
    'resources.get': [{ id: ids.resource }, undefined],
    'resources.getFile': [{ id: ids.resource }, undefined],
    'resources.update': [{ id: ids.resource }, { title: `F${serial}`, description: null, language: null, groupIds: [] }],
    'resources.preview': [{}, { text: 'Try {link}', affiliateId: affiliate }],
  };
}
