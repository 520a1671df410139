// The filters of the console's table of affiliates, for a query string as well as for the body of a change to all matches.
import { z } from 'zod';
import { searchField } from '../../../accounts/programs/search.ts';
import { line, timestampIn, uuid } from '../../../platform/http/declaration/fields.ts';
import { AffiliateStatus } from '../affiliate.ts';
import { PageState } from '../totals/figures.ts';

/** One value or several: a row matches if it has one of them. */
export function anyOf<Value>(value: z.ZodType<Value>, json: object) {
  return z
    .union([value.transform((one) => [one]), z.array(value).max(200)])
    .optional()
    .meta({ json: { type: 'array', items: json } });
}

const flag = z
  .union([z.boolean(), z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')])
  .optional()
  .meta({ json: { type: 'boolean' } });

const wholeMessage = 'must be a whole number';
const whole = z
  .union(
    [
      z.int(wholeMessage),
      z
        .string()
        .regex(/^-?\d{1,12}$/, wholeMessage)
        .transform(Number),
    ],
    wholeMessage,
  )
  .optional()
  .meta({ json: { type: 'integer' } });

const decimalMessage = 'must be a number with up to 4 decimals';
const decimal = z
  .union(
    [
      z.number(decimalMessage),
      z
        .string()
        .regex(/^\d{1,9}(\.\d{1,4})?$/, decimalMessage)
        .transform(Number),
    ],
    decimalMessage,
  )
  .optional()
  .meta({ json: { type: 'number' } });

const enumOf = (values: z.ZodEnum) => ({ type: 'string', enum: values.options });

export const filterFields = {
  search: searchField('Matches part of the name, email, referral code or vanity slug'),
  status: anyOf(AffiliateStatus, enumOf(AffiliateStatus)),
  groupId: anyOf(uuid, { type: 'string', format: 'uuid' }).describe('Only affiliates in one of these groups.'),
  hasGroup: flag,
  tags: anyOf(line(50), { type: 'string' }).describe('Only affiliates with one of these tags.'),
  pageState: anyOf(PageState, enumOf(PageState)),
  hasPayoutDetails: flag,
  wasInvited: flag.describe('Whether an invitation was emailed. Pending affiliates without one have applied.'),
  createdFrom: timestampIn.optional().describe('Only affiliates who joined at or after this time.'),
  createdTo: timestampIn.optional().describe('Only affiliates who joined before this time.'),
  lastSaleFrom: timestampIn.optional().describe('Only affiliates with a sale at or after this time.'),
  lastSaleTo: timestampIn.optional().describe('Only affiliates whose last sale was before this time, or who have none.'),
  clicksMin: whole,
  clicksMax: whole,
  conversionsMin: whole,
  conversionsMax: whole,
  salesCentsMin: whole,
  salesCentsMax: whole,
  commissionCentsMin: whole,
  commissionCentsMax: whole,
  balanceCentsMin: whole,
  balanceCentsMax: whole,
  earningsPerClickCentsMin: decimal,
  earningsPerClickCentsMax: decimal,
  conversionRateMin: decimal.describe('Percent.'),
  conversionRateMax: decimal.describe('Percent.'),
};

export const AffiliateFilter = z.strictObject(filterFields).meta({ id: 'AffiliateFilter', example: { status: ['active'], search: 'ada' } });
export type AffiliateFilter = z.output<typeof AffiliateFilter>;
