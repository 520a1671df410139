// TABLE OF CONTENTS: what is erased in one program because of the rows that it belongs to, in the order in which it is sent.
// Texts that only mention the person are found by sweep.ts. What the law requires is kept, and listed in docs/guides/privacy.md.
import { type RawBuilder, sql } from 'kysely';
import type { Found } from '../found.ts';
import type { Person } from '../person.ts';
import { type Change, overwrite, remove } from './changes.ts';
import { erasedText, toPattern, toWords } from './scrub.ts';

/** The address that a row has instead: unique in its program, and never delivered. */
export const erasedAddress = (id: string): string => `erased-${id}@erased.invalid`;
const addressOfRow = sql`'erased-' || id::text || '@erased.invalid'`;

type Condition = RawBuilder<unknown>;

const isSettled = sql`status in ('paid', 'failed', 'returned', 'cancelled')`;

type Given = { found: Found; person: Person; now: Date };
type Conditions = ReturnType<typeof toConditions>;

/** Statements for the rows of a person in a program. */
export function listTraces(found: Found, person: Person, now: Date): Change[] {
  const given = { found, person, now };
  const conditions = toConditions(given);
  return [promotion, money, access, messages, visits].flatMap((list) => list(given, conditions));
}

/** Conditions on the rows of a table, and functions that change those rows. */
function toConditions({ found: { programId, affiliateIds, emailKeys }, person }: Given) {
  return {
    own: sql`affiliate_id = any(${affiliateIds}::uuid[])`,
    ofUser: sql`user_id = ${person.userId}::uuid`,
    ofAddress: sql`email_key = any(${emailKeys})`,
    drop: (table: string, where: Condition) => remove(programId, table, where),
    set: (table: string, where: Condition, values: Record<string, unknown>) => overwrite(programId, table, where, values),
  };
}

/** What the affiliate made or chose. */
function promotion({ found, person, now }: Given, { own, drop, set }: Conditions): Change[] {
  const { programId, affiliateIds } = found;
  const ofPages = sql`page_id = any(${found.pageIds}::uuid[])`;
  const images = isOwnImage(programId, person);
  return [
    drop('affiliate_notes', own),
    drop('affiliate_links', own),
    drop('landing_page_reviews', ofPages),
    drop('landing_page_forwards', ofPages),
    drop('landing_page_revisions', ofPages),
    drop('landing_page_drafts', own),
    drop('landing_pages', own),
    drop('media_addresses', sql`media_id in (select id from media where program_id = ${programId} and ${images})`),
    drop('media', images),
    drop('short_links', sql`${own} and kind = 'vanity'`),
    set('affiliate_figures', own, { page_state: 'none', has_payout_details: false }),
    // The audit log keeps when the affiliate asked, and who accepted.
    drop('erasure_requests', own),
    set('claims', own, { note: null, decision_note: null }),
    set('bounty_submissions', own, { url: 'https://erased.invalid/', note: null, decision_note: null }),
    drop(
      'webhook_attempts',
      sql`delivery_id in (select delivery.id from webhook_deliveries as delivery
        join webhooks as postback on postback.program_id = ${programId} and postback.id = delivery.webhook_id
        where delivery.program_id = ${programId} and postback.affiliate_id = any(${affiliateIds}::uuid[]))`,
    ),
    set('webhooks', own, { url: '', description: null, status: 'paused', deleted_at: sql`coalesce(deleted_at, ${now}::timestamptz)` }),
    ...found.coupons.map(({ id }) => set('coupons', sql`id = ${id}::uuid`, renamedCoupon(id))),
    set('coupons', own, { status: 'archived' }),
  ];
}

/** How the affiliate is paid. Invoices and tax forms of affiliates who were paid are kept, encrypted. */
function money({ found: { programId } }: Given, { own, drop, set }: Conditions): Change[] {
  return [
    drop('payout_details', own),
    drop('payout_exclusions', own),
    set('payouts', sql`${own} and ${isSettled}`, { destination: null, destination_fingerprint: null, note: null }),
    drop(
      'tax_forms',
      sql`${own} and not exists (select from payouts as paid where paid.program_id = ${programId}
        and paid.affiliate_id = tax_forms.affiliate_id and paid.status = 'paid')`,
    ),
    drop(
      'invoice_details',
      sql`${own} and not exists (select from invoices as issued where issued.program_id = ${programId}
        and issued.affiliate_id = invoice_details.affiliate_id and issued.details_version = invoice_details.version)`,
    ),
  ];
}

/** How the person signs in to the program. */
function access({ person }: Given, { own, ofUser, drop, set }: Conditions): Change[] {
  return [
    drop('embeds', own),
    drop('affiliate_views', sql`${own} or ${ofUser}`),
    drop('affiliate_accounts', sql`${own} or ${ofUser}`),
    drop('member_confirmations', ofUser),
    drop('program_members', ofUser),
    drop('notification_choices', ofUser),
    drop('saved_views', sql`${ofUser} and not is_shared`),
    // The user's id stays until the account is erased: a repeated erasure would count these rows again.
    set('access_requests', sql`${ofUser} and note is not null`, { note: null }),
    drop('person_programs', sql`kind in ('member', 'account') and person = ${person.userId}::text`),
  ];
}

/** What came from the address or was sent to it. */
function messages({ found: { programId }, person, now }: Given, { own, ofAddress, drop, set }: Conditions): Change[] {
  const anonymous = { email: addressOfRow, email_key: addressOfRow };
  const blanked = { to_address: addressOfRow, subject: erasedText, text_body: '', html_body: '', last_error: null };
  const isToPerson = sql`lower(to_address) = any(${person.addresses})
    or (${own} and not exists (select from users where users.email_key = lower(to_address)))`;
  return [
    set('applications', sql`${ofAddress} or ${own}`, {
      ...anonymous,
      first_name: 'Erased',
      last_name: 'applicant',
      answers: sql`'[]'::jsonb`,
      verification_id: null,
    }),
    set('member_invitations', ofAddress, {
      ...anonymous,
      name: 'Erased',
      revoked_at: sql`case when accepted_at is null then coalesce(revoked_at, ${now}::timestamptz) else revoked_at end`,
    }),
    drop('email_recipients', ofAddress),
    set('emails', isToPerson, { ...blanked, status: sql`case when status = 'queued' then 'cancelled' else status end` }),
    // Files of exports contain whole tables.
    drop(
      'background_task_outputs',
      sql`task_id in (select task_id from background_task_outputs where program_id = ${programId} and (${mentions(person.addresses)}))`,
    ),
  ];
}

/** The person as a visitor and as a buyer. */
function visits({ found, person }: Given, { own, set }: Conditions): Change[] {
  const words = toWords(person, { ids: [], words: found.slugs });
  const pattern = toPattern([...words.certain, ...words.own]);
  return [
    set('clicks', sql`${own} and concat_ws(' ', destination, sub_ids) ~* ${pattern}`, { destination: null, sub_ids: sql`'{}'::text[]` }),
    set('clicks', sql`${own} and referrer_host ~* ${pattern}`, { referrer_host: null }),
    set('clicks', sql`visitor_id = any(${person.visitorIds})`, { visitor_id: null, ip_hash: null, agent: null, referrer_host: null }),
    set('clicks', sql`${own} and slug = any(${found.slugs})`, { slug: '' }),
    set('conversions', sql`buyer_hash = any(${found.buyerHashes})`, { buyer_hash: null }),
    set('unattributed_orders', sql`buyer_hash = any(${found.buyerHashes})`, { buyer_hash: null }),
  ];
}

function renamedCoupon(id: string): Record<string, unknown> {
  const code = `ERASED-${id.slice(-12).toUpperCase()}`;
  return { code, code_key: code };
}

/** An image that the person uploaded, unless the program shows it. */
function isOwnImage(programId: string, { userId }: Person): Condition {
  return sql`media.user_id = ${userId}::uuid
    and not exists (select from program_brands where program_id = ${programId} and strpos(lower(logo_url), media.id::text) > 0)
    and not exists (select from products where program_id = ${programId} and strpos(lower(image_url), media.id::text) > 0)`;
}

function mentions(addresses: readonly string[]): Condition {
  return sql.join(
    addresses.map((address) => sql`strpos(lower(content), ${address}) > 0`),
    sql` or `,
  );
}
