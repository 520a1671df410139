// What three affiliates read in their portal on a payday: the one who is paid, the one whose payout fails, and the one whose
// payment comes back.
import type { Page } from 'playwright-core';
import type { Console } from '../screens/open-console.ts';
import { openScreen } from '../screens/watched-page.ts';
import type { Payday } from './program.ts';

/** The places of the three in the order of the affiliates. */
export const watched = { paid: 2, failed: 10, returned: 5 };

/** For each of the three: what the first screen says about the next payout, and what their payouts say. */
export type PortalTexts = Record<keyof typeof watched, { next: string; payouts: string[] }>;

const ready = (amount: string) => `${amount} is ready and comes with the next payout.`;
const nothing = 'Nothing is waiting to be paid.';
const preparing = (amount: string) => `${amount}: Being prepared: It is sent soon.`;
const failed = '$89.00: Failed: The payment failed, and the money is part of your balance again. Check your payout details.';
const returned = '$89.50: Returned: The money came back and is part of your balance again. Check your payout details.';
const paid = { next: nothing, payouts: ['$89.80: Paid'] };

/** What the three read before the batch is prepared. */
export const portalsBefore: PortalTexts = {
  paid: { next: ready('$89.80'), payouts: [] },
  failed: { next: ready('$89.00'), payouts: [] },
  returned: { next: ready('$89.50'), payouts: [] },
};

/** What the three read after each step. */
export const portalsAfter = {
  prepared: {
    paid: { next: nothing, payouts: [preparing('$89.80')] },
    failed: { next: nothing, payouts: [preparing('$89.00')] },
    returned: { next: nothing, payouts: [preparing('$89.50')] },
  },
  sent: { paid, failed: { next: ready('$89.00'), payouts: [failed] }, returned: { next: nothing, payouts: ['$89.50: Paid'] } },
  returned: { paid, failed: { next: ready('$89.00'), payouts: [failed] }, returned: { next: ready('$89.50'), payouts: [returned] } },
  paidAgain: {
    paid,
    failed: { next: nothing, payouts: [preparing('$89.00'), failed] },
    returned: { next: ready('$89.50'), payouts: [returned] },
  },
} satisfies Record<string, PortalTexts>;

/** Reads the portals, each in a session of its affiliate. The session of the console ends. */
export async function readPortals(app: Console, payday: Payday): Promise<PortalTexts> {
  const page = await app.context.newPage();
  const read = async (place: number) => {
    const affiliate = { id: payday.affiliateIds[place] ?? '', email: `payee${place + 1}@example.com` };
    await app.signInAs(await app.service.asAffiliate(affiliate));
    const home = `${app.origin}/portal/${app.service.program.programId}`;
    await page.goto('about:blank');
    await page.goto(home);
    await page.getByRole('region', { name: 'Where your earnings are' }).waitFor();
    const next = await page.locator('header h1 ~ p').last().innerText();
    await openScreen(page, `${home}/payouts`);
    await page.getByText('Monthly statements').waitFor();
    return { next, payouts: await payoutsOn(page) };
  };
  try {
    return { paid: await read(watched.paid), failed: await read(watched.failed), returned: await read(watched.returned) };
  } finally {
    await page.close();
  }
}

/** Each payout as its amount, its state, and what happens next. */
async function payoutsOn(page: Page): Promise<string[]> {
  const items = page.locator('main li').filter({ has: page.locator('[class*=amount]') });
  const texts = [];
  for (const item of await items.all()) {
    const amount = await item.locator('[class*=amount]').innerText();
    const state = await item.locator('[class*=head] > :last-child').innerText();
    const next = await item.locator('p').allInnerTexts();
    texts.push([amount, state, ...next].join(': '));
  }
  return texts;
}
