import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { anAffiliate } from '../../../../test/support/builders.ts';
import { openTestService, type TestService } from '../../../../test/support/harness.ts';
import { injections } from '../../../../test/support/storefronts/injections.ts';
import { toAccent } from '../../../platform/lib/color/accent.ts';
import { renderSample, sampleIds } from '../previews/samples.ts';
import { type Frame, type Locale, locales } from './look.ts';
import { toSubject } from './subject.ts';

const origin = 'https://links.example';
const sender = { name: 'Fern & Field', websiteUrl: 'https://brand.example/?a=1&b="2"' };

function frameOf(name: string, locale: Locale = 'en'): Frame {
  return { locale, look: { of: 'program', name, websiteUrl: null, logoUrl: null, color: '#FFD400', postalAddress: name } };
}

/** The names of the elements and attributes of a page; texts leave no trace. */
const markupOf = (page: string): string =>
  [...page.matchAll(/<(\/?[a-z][a-z0-9]*)((?:\s[a-z-]+="[^"]*")*)\s*>/gi)]
    .map(([, name, attributes = '']) => name + attributes.replace(/="[^"]*"/g, ''))
    .join('\n');

describe('every email', () => {
  for (const id of sampleIds) {
    test(`${id} is complete in both languages, as text and as HTML`, () => {
      const [english, german] = locales.map((locale) => renderSample(id, { frame: frameOf('Fern & Field', locale), sender, origin }));
      for (const email of [english, german]) {
        assert.doesNotMatch(`${email?.subject} ${email?.text} ${email?.html}`, /undefined|null|\[object|NaN/);
        assert.ok(email && email.subject.length > 10 && email.text.length > 100);
      }
      assert.notEqual(english?.subject, german?.subject);
      assert.match(german?.html ?? '', /<html lang="de">/);
      assert.doesNotMatch(english?.html ?? '', /<script|<link|@import|url\(|<form|onload=/);
    });

    test(`${id} contains what people typed as text only, and in one line of the subject`, () => {
      const words = (text: string) => ({ firstName: text, member: text, message: text, reason: text, note: text, passkey: text });
      const render = (text: string) =>
        renderSample(id, { frame: frameOf(text), sender: { name: text, websiteUrl: null }, origin, words: words(text) });
      const expected = markupOf(render('text').html);
      for (const text of [...injections, 'a\r\nBcc: victim@example.com', 'a\nX-Header: 1', '\u0000\u0007\u202etxt\u2069']) {
        const { html, subject } = render(text);
        // A line break in a note starts a paragraph.
        assert.equal(markupOf(html).replaceAll(/\np class dir style\n\/p(?=\np class dir style)/g, ''), expected, text);
        assert.doesNotMatch(subject, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }
    });
  }
});

test('a subject has at most 200 characters and is never cut inside one', () => {
  assert.equal(toSubject('x'.repeat(200)).length, 200);
  const cut = toSubject('\u{1f33f}'.repeat(300));
  assert.ok(cut.isWellFormed() && Array.from(cut).length === 200 && cut.endsWith('…'));
});

test('the text on every color is readable, and every color stands out from the dark background', () => {
  for (const color of ['#000000', '#FFFFFF', '#FFD400', '#0B5F59', '#777777', '#FF0000', '#0000FF', '#123456']) {
    const { light, dark } = toAccent(color);
    for (const { background, text } of [light, dark]) assert.ok(contrast(background, text) >= 4.5, `${text} on ${background}`);
    assert.ok(contrast(dark.background, '#11201D') >= 4.4, dark.background);
  }
});

function contrast(one: string, other: string): number {
  const luminance = (color: string) =>
    [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

describe('an email to an affiliate', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const emailTo = async (to: string) =>
    (await service.pool.query('select * from emails where to_address = $1 order by created_at desc, id desc', [to])).rows[0];

  test('has the logo, color, sender name, address for answers and postal address of the program', async () => {
    const owner = await service.asMember('owner');
    const body = {
      color: '#7A1FA2',
      logoUrl: 'https://brand.example/logo.png',
      senderName: 'Röst & Söhne',
      replyTo: 'partners@brand.example',
      postalAddress: 'Röst GmbH\nHafenstraße 1',
    };
    const updated = await owner.request('PATCH', `/app/programs/${service.program.programId}/brand`, { body });
    assert.equal(updated.status, 200, updated.text);
    await anAffiliate(service, { email: 'look@example.com', sendInvite: true });
    await service.drain();
    const mail = service.mails.find(({ to }) => to === 'look@example.com');
    assert.equal(mail?.from.name, 'Röst & Söhne');
    assert.match(mail?.from.address ?? '', /^[^\s<>]+@[^\s<>]+$/);
    assert.equal(mail?.replyTo?.address, 'partners@brand.example');
    for (const part of ['#7A1FA2', 'https://brand.example/logo.png', 'Röst GmbH · Hafenstraße 1'])
      assert.ok(mail?.html.includes(part), part);
  });

  test('is in the language that its user chose, else in the one of the program', async () => {
    const owner = await service.asMember('owner');
    await owner.request('PATCH', `/app/programs/${service.program.programId}/brand`, { body: { emailLocale: 'de' } });
    await anAffiliate(service, { email: 'unknown@example.com', sendInvite: true });
    assert.match((await emailTo('unknown@example.com')).subject, /lädt dich/);
    const affiliate = await anAffiliate(service, { email: 'lea@example.com' });
    const lea = await service.asAffiliate({ id: affiliate.id, email: 'lea@example.com' });
    await lea.request('PATCH', '/app/me', { body: { locale: 'en' } });
    const approve = { body: { status: 'active' } };
    await service.request('PATCH', `${service.program.path}/affiliates/${affiliate.id}`, approve);
    assert.match((await emailTo('lea@example.com')).subject, /approved as an affiliate/);
  });

  test('of the approval contains the link to share, and one that signs in, claims the affiliate and is stored nowhere', async () => {
    const { id, referralCode } = await anAffiliate(service, { email: 'approved@example.com' });
    await service.request('PATCH', `${service.program.path}/affiliates/${id}`, { body: { status: 'active' } });
    await service.drain();
    const mail = service.mails.find(({ to }) => to === 'approved@example.com');
    assert.match(mail?.text ?? '', new RegExp(`/r/${referralCode}`));
    const [, token = ''] = /\/enter\/([\w-]{43})/.exec(mail?.text ?? '') ?? [];
    assert.ok(token && mail?.html.includes(`/enter/${token}`));
    const { rows } = await service.pool.query(`select emails::text as row from emails`);
    assert.ok(rows.every(({ row }) => !row.includes(token)));
    const entered = await service.request('POST', '/app/enter', { key: null, headers: { origin: 'http://api.test' }, body: { token } });
    assert.equal(entered.status, 200, entered.text);
    const { rows: claimed } = await service.pool.query('select user_id from affiliate_accounts where affiliate_id = $1', [id]);
    assert.equal(claimed.length, 1);
  });
});
