// The messages that are posted to notification channels: one line about what happened, and the address of the console. Only
// `text` is sent, without blocks and formatting, because Slack, Mattermost, Discord and bridges to Teams agree on nothing else.
import type { Context } from '../../../context.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { describeItem } from '../../emails/kinds/members/notifications.ts';
import { type Locale, parseLocale } from '../../emails/look/look.ts';
import { findItemsOf, type Item } from '../../notifications/find-items.ts';
import { testEventType } from '../event-filter.ts';

type Due = { deliveryId: string; programId: string; eventId: string; eventType: string; locale: string | null };

const testTexts: Record<Locale, string> = {
  en: 'This is a test. Notifications about the affiliate program will be posted here.',
  de: 'Das ist ein Test. Hier erscheinen Benachrichtigungen über das Affiliate-Programm.',
};

/** The bodies of these deliveries, by their id. Those whose event was deleted have none. */
export async function writeMessages(ctx: Context, due: readonly Due[]): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (const [programId, ofProgram] of Map.groupBy(due, (one) => one.programId)) {
    const { name } = await ctx.db.selectFrom('programs').select('name').where('id', '=', programId).executeTakeFirstOrThrow();
    const eventIds = ofProgram.map(({ eventId }) => eventId);
    const items = new Map((await findItemsOf(ctx, programId, eventIds)).map((item) => [item.eventId, item]));
    const url = `${getPublicUrl(ctx.config)}/console/${programId}`;
    for (const { deliveryId, eventId, eventType, locale } of ofProgram) {
      const [item, language] = [items.get(eventId), parseLocale(locale) ?? 'en'];
      if (eventType === testEventType) bodies.set(deliveryId, toBody(name, testTexts[language], url));
      else if (item) bodies.set(deliveryId, renderMessage(name, { item, locale: language, url }));
    }
  }
  return bodies;
}

/** The body of a message about an item. */
export function renderMessage(program: string, { item, locale, url }: { item: Item; locale: Locale; url: string }): string {
  return toBody(program, describeItem(locale, item), url);
}

function toBody(program: string, line: string, url: string): string {
  return JSON.stringify({ text: `${toPlainText(`${program}: ${line}`)}\n${url}` });
}

/**
 * Text that a chat shows as it is. People choose the names in it, so a mention must not notify a channel, nor a link appear:
 * an invisible space follows the characters that begin them.
 */
function toPlainText(text: string): string {
  const inert = text.replace(/[@[\]`*_~#]|:\/|\.(?=\p{L})/gu, '$&\u200B');
  return inert.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
