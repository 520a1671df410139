// A valid request for each endpoint, used for fuzzing and response checks.
import assert from 'node:assert/strict';
import type { AnyEndpoint } from '../../../server/platform/http/declaration/endpoint.ts';
import { aClick, aCoupon, aDomain, aGroup, anAffiliate, aPage, aProduct } from '../builders.ts';
import type { TestService } from '../harness.ts';
import { type AppIds, appSampleRows, appSamples } from './app-samples.ts';
import { type MoneyIds, moneySampleRows, moneySamples } from './money-samples.ts';
import { payoutDetailSamples } from './payout-detail-samples.ts';
import { type PayoutIds, payoutSampleRows, payoutSamples } from './payout-samples.ts';
import { type ProviderIds, providerSampleRows, providerSamples } from './provider-samples.ts';
import { signInSamples } from './sign-in-samples.ts';
import { type WebhookIds, webhookSampleRows, webhookSamples } from './webhook-samples.ts';

export type SampleIds = {
  programId: string;
  affiliate: string;
  activeAffiliate: string;
  group: string;
  coupon: string;
  securedHost: string;
  customDomain: string;
  deletedCustomDomain: string;
  product: string;
  click: string;
  slug: string;
  auditEvent: string;
  event: string;
} & AppIds &
  MoneyIds &
  ProviderIds &
  PayoutIds &
  WebhookIds;
type Sample = { params: Record<string, string>; body: Record<string, unknown> | undefined; query: string };

/** The rows that samples name. */
export async function sampleRows(service: TestService, slug: string): Promise<SampleIds> {
  await setSender(service);
  const affiliate = (await anAffiliate(service)).id;
  await aPage(service, affiliate, slug);
  const { programId } = service.program;
  await service.request('PATCH', service.program.path, { body: { embedOrigins: [appOrigin] } });
  const group = await aGroup(service);
  return {
    programId,
    affiliate,
    activeAffiliate: (await anAffiliate(service, { status: 'active' })).id,
    group,
    coupon: (await aCoupon(service, { affiliateId: affiliate })).id,
    securedHost: await aSecuredHost(service),
    customDomain: await aDomain(service, 'portal.acme.example'),
    deletedCustomDomain: await aDomain(service, 'deleted.acme.example'),
    product: await aProduct(service),
    click: await aClick(service, affiliate),
    slug,
    auditEvent: await latestAuditEvent(service),
    event: await anEventId(service),
    ...(await appSampleRows(service)),
    ...(await moneySampleRows(service, slug)),
    ...(await providerSampleRows(service)),
    ...(await payoutSampleRows(service)),
    ...(await webhookSampleRows(service, service.program, group)),
  };
}

/** The host of an active custom domain, whose records the name servers have. */
async function aSecuredHost(service: TestService): Promise<string> {
  const host = 'secured.acme.example';
  const records = new Map([
    [`_tributary.${host} TXT`, `program=${service.program.programId}`],
    [`${host} A`, '127.0.0.1'],
  ]);
  service.ctx.findDnsRecords = async (name, type) => [records.get(`${name} ${type}`) ?? []].flat();
  const checked = await service.request('POST', `${service.program.path}/domains/${await aDomain(service, host)}/check`);
  assert.equal(checked.body.status, 'active', checked.text);
  return host;
}

/** Sets the sender address of the program, whose mail server the operator has described. */
async function setSender(service: TestService): Promise<void> {
  service.ctx.config = { ...service.ctx.config, senderSpf: 'include:spf.example.com' };
  const set = await service.request('PATCH', `${service.program.path}/email-sender`, { body: { address: 'partners@acme.example' } });
  assert.equal(set.status, 200, set.text);
}

async function latestAuditEvent({ request, program }: TestService): Promise<string> {
  const { body } = await request('GET', `${program.path}/audit-events?limit=1`);
  return body.auditEvents[0].id;
}

/** Read from the table, because the list leaves out events until older transactions have ended. */
async function anEventId({ pool, program }: TestService): Promise<string> {
  return (await pool.query('select id from events where program_id = $1 limit 1', [program.programId])).rows[0].id;
}

type Parts = [params: Record<string, string>, body: Record<string, unknown> | undefined, query?: string];

const logSamples = (ids: SampleIds): Record<string, Parts> => ({
  'testClock.get': [{}, undefined],
  'testClock.advance': [{}, { days: 30 }],
  'auditEvents.list': [{}, undefined],
  'auditEvents.get': [{ id: ids.auditEvent }, undefined],
  'auditEntries.list': [{}, undefined],
  'auditEntries.get': [{ id: ids.auditEvent }, undefined],
  'auditEvents.export': [{}, undefined],
  'auditEvents.integrity': [{}, undefined],
  'events.list': [{}, undefined],
  'events.get': [{ id: ids.event }, undefined],
});

const groupMoveSamples = (serial: number, ids: SampleIds): Record<string, Parts> => ({
  'groupMoves.get': [{}, undefined],
  'groupMoves.update': [
    {},
    { isEnabled: serial % 2 === 0, metric: 'conversions', days: 30, canMoveDown: true, steps: [{ groupId: ids.group, from: 5 }] },
  ],
  'groupMoves.preview': [{}, { metric: 'amountCents', steps: [{ groupId: ids.group, from: 500 }] }],
});

const couponSamples = (serial: number, ids: SampleIds): Record<string, Parts> => ({
  'emailSender.get': [{}, undefined],
  'emailSender.update': [{}, { address: `partners@brand${serial}.example` }],
  'emailSender.check': [{}, undefined],
  'domains.create': [{}, { host: `go${serial}.acme.example`, purpose: 'links' }],
  'domains.checkCertificate': [{}, undefined, `?domain=${ids.securedHost}`],
  'domains.get': [{ id: ids.customDomain }, undefined],
  'domains.update': [{ id: ids.customDomain }, {}],
  'domains.check': [{ id: ids.customDomain }, undefined],
  'domains.delete': [{ id: ids.deletedCustomDomain }, undefined],
  'coupons.create': [{}, { affiliateId: ids.affiliate, code: `C-${serial}`, ...couponTerms, productIds: [ids.product] }],
  'coupons.createMany': [{}, { pattern: `{firstName}-B${serial}`, skipWithCoupon: false, discountType: 'percentage', discountRate: 10 }],
  'coupons.setStatuses': [{}, { changes: [{ id: ids.coupon, status: serial % 2 ? 'active' : 'archived' }] }],
  'coupons.usage': [{ id: ids.coupon }, undefined],
  'coupons.get': [{ id: ids.coupon }, undefined],
  'coupons.update': [{ id: ids.coupon }, { ...couponTerms, status: serial % 2 ? 'active' : 'archived', discountRate: serial % 100 }],
});

const appOrigin = 'https://app.example';
const allowed = { destinationHosts: ['shop.example'], imageHosts: ['shop.example'], embedOrigins: [appOrigin] };

/** Throws for an endpoint it doesn't know, so that every new endpoint needs a sample. */
export function sampleOf({ id }: AnyEndpoint, serial: number, ids: SampleIds): Sample {
  const bodies: Record<string, Parts> = {
    ...appSamples(serial, ids),
    ...signInSamples,
    search: [{}, undefined, '?q=ada'],
    'portalPage.slugCheck': [{}, undefined, '?slug=ada-lovelace'],
    'savedViews.list': [{}, undefined, '?screen=affiliates'],
    'programs.get': [{}, undefined],
    ...logSamples(ids),
    'programs.update': [{}, { holdDays: 30 + (serial % 5), ...allowed, commissionCapPercent: 12.5 }],
    'embedTokens.create': [{ id: ids.activeAffiliate }, { kind: 'portal', origin: appOrigin, locale: 'de', theme: { accent: '#0B5F59' } }],
    'affiliates.invite': [{}, invitation(serial, ids)],
    'affiliates.get': [{ id: ids.affiliate }, undefined],
    'affiliates.rates': [{ id: ids.affiliate }, undefined],
    'affiliates.update': [{ id: ids.affiliate }, update(serial, ids)],
    'landingPages.get': [{ slug: ids.slug }, undefined],
    'landingPages.write': [{ slug: ids.slug }, page(ids)],
    'landingPages.preview': [{ slug: ids.slug }, { revision: 'current' }],
    ...couponSamples(serial, ids),
    ...groupMoveSamples(serial, ids),
    'groups.create': [{}, { name: `G${serial}`, description: 'D' }],
    'groups.get': [{ id: ids.group }, undefined],
    'groups.update': [{ id: ids.group }, { name: `H${serial}`, description: null }],
    'products.create': [{}, { ...product, externalId: `e${serial}`, status: 'active', allowedGroupIds: [ids.group], imageUrl: null }],
    'products.import': [{}, { csv: `externalId,name,priceCents,checkoutUrl\nf${serial},Tea,100,${checkoutUrl}\n` }],
    'products.setStatuses': [{}, { changes: [{ id: ids.product, status: 'active' }] }],
    'products.feed': [{}, undefined],
    'products.get': [{ id: ids.product }, undefined],
    'clickSettings.get': [{}, undefined],
    'clickSettings.update': [
      {},
      {
        clicksPerIpPerMinute: serial,
        dedupeSeconds: 5,
        blockedIpRanges: ['192.0.2.0/24', '2001:db8::/32'],
        blockedReferrers: ['x.example'],
        blockedCountries: ['US'],
        bots: 'hold',
      },
    ],
    'affiliates.qr': [{ id: ids.affiliate }, undefined],
    'clicks.get': [{ id: ids.click }, undefined],
    'clicks.record': [
      {},
      { landingPageSlug: ids.slug, programId: ids.programId, url: checkoutUrl, subId1: 's', visitorId: `visitor-${serial}` },
    ],
    'products.update': [{ id: ids.product }, { ...product, description: 'x', category: 'c' }],
  };
  const found =
    bodies[id] ??
    moneySamples(serial, ids)[id] ??
    payoutDetailSamples(serial, ids)[id] ??
    providerSamples(serial, ids)[id] ??
    payoutSamples(serial, ids)[id] ??
    webhookSamples(serial, ids)[id] ??
    (/\.list$|^me\./.test(id) ? [{}, undefined] : null);
  assert.ok(found, `no sample of ${id}: add one`);
  const [params, body, query = ''] = found as Parts;
  return { params: { programId: ids.programId, ...params }, body, query };
}

/** The user who calls an approval, which accepts no API keys; undefined for other operations. */
export function approverOf({ id }: AnyEndpoint, { owner }: SampleIds): string | undefined {
  return ['payoutBatches.approve', 'settingChanges.approve'].includes(id) ? owner.userId : undefined;
}

const checkoutUrl = 'https://shop.example/x';
const product = { name: 'P', priceCents: 1, checkoutUrl };

const couponTerms = {
  discountType: 'percentage',
  discountRate: 12.5,
  minOrderCents: 100,
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '2027-01-01T00:00:00+01:00',
  maxRedemptions: 1000,
  creditPolicy: 'never_over_click',
  commissionType: 'flat',
  commissionCents: 500,
  externalId: 'x',
};

function invitation(serial: number, ids: SampleIds) {
  const person = { email: `f${serial}@example.com`, firstName: 'A', lastName: 'B' };
  return { ...person, groupId: ids.group, parentAffiliateId: ids.affiliate, autoApprove: true, sendInvite: true };
}

function profile(serial: number) {
  return { firstName: 'C', lastName: 'D', externalId: `crm-${serial}`, metadata: { a: 'b', c: null }, tags: ['x', 'y'] };
}

function update(serial: number, ids: SampleIds) {
  const override = { commissionOverrideType: 'flat', commissionOverrideRate: 5 };
  return { status: 'active', groupId: ids.group, parentAffiliateId: null, ...override, vanitySlug: `slug-${serial}`, ...profile(serial) };
}

function page(ids: SampleIds) {
  const words = { pageTitle: 'T', headline: 'H', bioText: 'B', promoBadgeText: 'P', avatarUrl: checkoutUrl, heroImageUrl: null };
  const choices = { templateId: 'creator', promotionMode: 'all', featuredProductIds: [ids.product], isPublished: true };
  return { affiliateId: ids.affiliate, ...words, ...choices };
}
