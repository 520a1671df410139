// Copies the terms of one program into a new one: its groups, its commission rules, its brand and its emails.
import { call, type Input, type Result } from '../../api/call.ts';

type Rule = Result<'commissionRules.list'>['commissionRules'][number];

const pageSize = 200;

/** Rules for single affiliates or products are not copied: the new program has neither. */
export async function copyTerms(from: string, to: string): Promise<void> {
  const groupIds = await copyGroups(from, to);
  for (const rule of await readRules(from)) {
    if (rule.affiliateId !== null || rule.productId !== null) continue;
    const groupId = rule.groupId === null ? null : groupIds.get(rule.groupId);
    // An archived group is not copied, so its rules aren't either.
    if (groupId === undefined) continue;
    const body = Object.assign({}, rule, { groupId }) as Input<'commissionRules.create'>['body'];
    await call('commissionRules.create', { path: { programId: to }, body });
  }
  await copyBrand(from, to);
  await copyEmails(from, to);
}

/** Returns the ids of the new groups by those of the former ones. */
async function copyGroups(from: string, to: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const query = { limit: pageSize, status: ['active' as const], sort: 'createdAt' as const };
  const { groups } = await call('groups.list', { path: { programId: from }, query });
  for (const { id, name, description, holdDays, minimumPayoutCents } of groups) {
    const body = { name, description, holdDays, minimumPayoutCents };
    ids.set(id, (await call('groups.create', { path: { programId: to }, body })).id);
  }
  return ids;
}

/** The oldest first, so that the new program lists them in the same order. */
async function readRules(programId: string): Promise<Rule[]> {
  const query = { limit: pageSize, status: ['active' as const], sort: 'createdAt' as const };
  return (await call('commissionRules.list', { path: { programId }, query })).commissionRules;
}

/** An uploaded logo belongs to the program that it was uploaded to. */
async function copyBrand(from: string, to: string): Promise<void> {
  const { logoUrl, ...brand } = await call('brand.get', { path: { programId: from } });
  const isUploaded = logoUrl === null || new URL(logoUrl, location.origin).origin === location.origin;
  await call('brand.update', { path: { programId: to }, body: isUploaded ? brand : Object.assign(brand, { logoUrl }) });
}

/** Texts that were edited, and emails that were switched off. */
async function copyEmails(from: string, to: string): Promise<void> {
  const { emails } = await call('emailSettings.get', { path: { programId: from } });
  const path = { programId: to };
  for (const { email, isOn, texts } of emails) {
    if (isOn === false) await call('emailSwitches.update', { path, body: { email, isOn } as Input<'emailSwitches.update'>['body'] });
    for (const locale of ['en', 'de'] as const) {
      const { subject, heading, body, isEdited } = texts[locale];
      if (isEdited) await call('emailTexts.update', { path, body: { email, locale, subject, heading, body } });
    }
  }
}
