// Settings of a program: the fields and their limits.
import { z } from 'zod';
import { cents, currencyIn, maxCents, webAddress } from '../../platform/http/declaration/fields.ts';
import { nameField } from '../../platform/http/declaration/person-fields.ts';
import { isCurrency } from '../../platform/lib/currency.ts';
import { emailKey, showMixedScripts } from '../../platform/lib/email-address.ts';
import { parseHostName } from '../../platform/lib/network/host-name.ts';
import { parsePageOrigin } from '../../platform/lib/network/page-origin.ts';

export const FlatRefunds = z.enum(['pro_rata', 'keep']).meta({ id: 'FlatRefunds' });
export type FlatRefunds = z.infer<typeof FlatRefunds>;
export const ExchangeRateSource = z.enum(['off', 'uploaded', 'ecb']).meta({ id: 'ExchangeRateSource' });
export type ExchangeRateSource = z.infer<typeof ExchangeRateSource>;
export const TaxForms = z.enum(['off', 'required']).meta({ id: 'TaxForms' });
export const AttributionModel = z.enum(['last_click', 'first_click']).meta({ id: 'AttributionModel' });
export const AttributionPriority = z.enum(['coupon_first', 'click_first']).meta({ id: 'AttributionPriority' });

/** A share in percent, stored with four decimals. */
export function percentUpTo(max: number) {
  const range = `must be between 0 and ${max} (percent)`;
  return z
    .number()
    .min(0, range)
    .max(max, range)
    .refine((percent) => /^\d+(\.\d{1,4})?$/.test(String(percent)), { error: 'must not have more than 4 decimals' })
    .meta({ json: { type: 'number', minimum: 0, maximum: max, multipleOf: 0.0001 } });
}

/** A count of days or seconds. */
function wholeNumberFrom(min: number, max: number) {
  const range = `must be a whole number from ${min} to ${max}`;
  return z.int(range).min(min, range).max(max, range);
}

/** The hold period of a commission. */
export const holdDays = wholeNumberFrom(0, 3650);

const destinationHost = z
  .string()
  .refine((text) => parseHostName(text) !== null, { error: 'must be a host name such as shop.example, without scheme, port or path' })
  .transform((text) => parseHostName(text) ?? text)
  .meta({ json: { type: 'string', maxLength: 253 } });

const pageOrigin = z
  .string()
  .refine((text) => parsePageOrigin(text) !== null, {
    error: 'must be an origin such as https://app.example, without a path; http only for localhost',
  })
  .transform((text) => parsePageOrigin(text) ?? text)
  .meta({ json: { type: 'string', maxLength: 253 } });

/** A time zone by its IANA name. */
export const timezoneField = z
  .string()
  .refine(isTimezone, { error: 'must be an IANA time zone such as Europe/Berlin' })
  .meta({ json: { type: 'string' } });

function isTimezone(name: string): boolean {
  try {
    // Intl also accepts offsets, which have no daylight saving time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

export const emailAddressField = z
  .string()
  .transform((text) => text.normalize('NFC').trim())
  .refine((text) => emailKey(text) !== null, { error: 'must be an email address' })
  .transform(showMixedScripts)
  .meta({ json: { type: 'string', format: 'email', maxLength: 254 } });

export const settingFields = {
  name: nameField.describe('The name that affiliates see.'),
  websiteUrl: webAddress.nullable(),
  timezone: timezoneField.describe(
    'The time zone of days and months in statements, volume tiers, budgets, forecasts and daily totals. Times in responses are ' +
      'in UTC. A change applies immediately, including to earlier months.',
  ),
  holdDays: holdDays.describe('Hold period: days until a commission is payable. Fixed for a commission when it is earned.'),
  minimumPayoutCents: cents.describe('Affiliates who are owed less than this amount are skipped.'),
  payoutApprovalCents: cents
    .nullable()
    .describe(
      'A batch needs the approval of a second person if it brings the total dispatched without approval in the last 24 hours ' +
        'above this amount; null for no limit. While a limit is set, raising or clearing it also needs the approval of a second ' +
        'person, or takes effect after 72 hours. The same applies to `taxForms: "off"` and to a new `contactEmail`.',
    ),
  scheduledPayoutLimitCents: cents
    .nullable()
    .describe(
      'The payout schedule sends batches up to this amount without an approval; null: every batch awaits one. Setting or raising it ' +
        'always needs the approval of a second person, or takes effect after 72 hours. `payoutApprovalCents` applies, too.',
    ),
  largeOrderCents: z
    .int('must be an integer amount in cents')
    .min(1, 'must be at least 1')
    .max(maxCents, `must not exceed ${maxCents}`)
    .nullable()
    .describe('Members can be notified of orders of at least this amount; null: of none.'),
  contactEmail: emailAddressField
    .nullable()
    .describe('Receives notices about the safety of payouts, such as a raised `payoutApprovalCents`.'),
  taxForms: TaxForms.describe('`required`: affiliates without a valid tax form are not paid.'),
  commissionCapPercent: percentUpTo(1000)
    .nullable()
    .describe('The maximum sum of all commissions of an order, in percent of the order amount; null for no cap.'),
  flatRefunds: FlatRefunds.describe(
    'Whether a partial refund reverses its share of a flat commission (`pro_rata`), or only a full refund reverses it (`keep`). ' +
      'Applies to orders reported from now on.',
  ),
  exchangeRateSource: ExchangeRateSource.describe(
    '`off`: orders in other currencies are rejected. `uploaded`: they are converted into the currency of the program, at the ' +
      'exchange rates that you upload. `ecb`: at the reference rates of the European Central Bank, which are fetched every working ' +
      'day; rates that you upload take precedence.',
  ),
  payoutCurrencies: z
    .array(currencyIn.refine(isCurrency, { error: 'must be an active ISO 4217 code' }))
    .max(20)
    .transform((codes) => [...new Set(codes)])
    .describe(
      'Other currencies in which affiliates can choose to be paid. The amount of a payout is converted when the payout is created, at ' +
        'the latest exchange rate of the last 7 days. Balances, minimums and limits stay in the currency of the program.',
    )
    .meta({ json: { type: 'array', maxItems: 20, items: { type: 'string', pattern: '^[A-Z]{3}$' } } }),
  attributionModel: AttributionModel,
  attributionPriority: AttributionPriority.describe('Which affiliate is credited if a coupon and a click point to different ones.'),
  attributionWindowDays: wholeNumberFrom(1, 3650).describe('The number of days for which a click can be credited.'),
  hijackGuardSeconds: wholeNumberFrom(0, 86_400).describe(
    'A click within this many seconds before the order loses to an earlier signal; 0 disables this check.',
  ),
  remembersCustomers: z.boolean().describe('Whether later orders of a customer are credited to the affiliate of the first order.'),
  allowsPostbacks: z.boolean().describe('Whether affiliates can have their own postbacks called for their events.'),
  destinationHosts: z
    .array(destinationHost)
    .max(50)
    .transform((hosts) => [...new Set(hosts)])
    .describe('Hosts that links may redirect to, in addition to the host of `websiteUrl`.')
    .meta({ json: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 253 } } }),
  imageHosts: z
    .array(destinationHost)
    .max(50)
    .transform((hosts) => [...new Set(hosts)])
    .describe(
      'Hosts from which public pages may load portraits and hero images, in addition to uploads, the website and `destinationHosts`.',
    )
    .meta({ json: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 253 } } }),
  embedOrigins: z
    .array(pageOrigin)
    .max(20)
    .transform((origins) => [...new Set(origins)])
    .describe(
      'Origins of your pages that may embed the portal or the referral widget, such as `https://app.example`. Removing one ends ' +
        'what is open there.',
    )
    .meta({ json: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 253 } } }),
};

export const Settings = z.object(settingFields);
export type Settings = z.output<typeof Settings>;
