// The programs of a user side by side: how each sells, what it owes, and what awaits a decision. Amounts are in the currency of
// each program, so sums over programs are left to the reader of one currency.
import { z } from 'zod';
import { listMemberships } from '../../accounts/identity/members/list-programs.ts';
import { permissionsOf } from '../../accounts/identity/roles.ts';
import { searchField } from '../../accounts/programs/search.ts';
import type { Context } from '../../context.ts';
import { endpoint } from '../../platform/http/declaration/endpoint.ts';
import { centsOut, currencyOut, dayOut, page, uuidOut } from '../../platform/http/declaration/fields.ts';
import { listOf } from '../../platform/http/declaration/lists.ts';
import { foldAccents, foldCase } from '../../platform/lib/text.ts';
import { addDays, localDate, startOfDay } from '../../platform/lib/zoned-time.ts';
import { AttentionItem, readAttention } from '../overview/attention.ts';
import { readMoney } from '../overview/money.ts';
import { readPerformance } from '../overview/performance.ts';
import { periodQuery, readSpan } from '../overview/period.ts';
import { toRange } from '../overview/range.ts';
import { readInEach } from './in-each-program.ts';

const amount = z.object({
  value: centsOut.describe('The value of the period.'),
  previous: centsOut.nullable().describe('The value of the period before; null without a comparison.'),
});

const ProgramFigures = z
  .object({
    id: uuidOut,
    name: z.string(),
    mode: z.enum(['live', 'test']),
    organizationId: uuidOut,
    currency: currencyOut,
    from: dayOut.describe('The first day, in the time zone of the program.'),
    to: dayOut.describe('The last day, which is included.'),
    salesCents: amount.describe('Orders of affiliates, less refunds.'),
    commissionsCents: amount.describe('Commissions, less reversals.'),
    pendingCents: centsOut.describe('Commissions in the hold period.'),
    heldCents: centsOut.describe('Commissions on hold.'),
    owedCents: centsOut.describe('Payable to affiliates with a balance above 0.'),
    attention: z.array(AttentionItem).describe('What awaits a decision, and what doesn’t work; the most urgent first.'),
  })
  .meta({
    id: 'ProgramFigures',
    example: {
      id: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e5f',
      name: 'Fern & Field',
      mode: 'live',
      organizationId: '01980a4e-7b8e-7c3e-9f61-2b7f1c3d4e60',
      currency: 'USD',
      from: '2026-10-24',
      to: '2026-11-22',
      salesCents: { value: 8_612_400, previous: 8_262_000 },
      commissionsCents: { value: 1_035_800, previous: 993_100 },
      pendingCents: 412_040,
      heldCents: 21_240,
      owedCents: 198_020,
      attention: [],
    },
  });

type Span = { from?: string | undefined; to?: string | undefined; compare: 'previous' | 'year' | 'none' };
type Program = Awaited<ReturnType<typeof listMemberships>>[number];

export const listProgramFigures = endpoint({
  id: 'programs.list',
  route: 'GET /app/programs',
  scope: 'user',
  tag: 'User',
  summary: 'List the programs of the signed-in user',
  description:
    'With the figures of each, by name. Days are in the time zone of each program, and amounts in its currency: amounts of different ' +
    'currencies are never added up.',
  query: z.object({
    search: searchField('Matches part of the name'),
    from: periodQuery.from,
    to: periodQuery.to,
    compare: periodQuery.compare,
    ...page,
  }),
  statuses: [200],
  result: listOf('programs', ProgramFigures, 'ProgramFiguresList'),
  async handle(ctx, { actor, query: { search, limit, offset, ...span } }) {
    const words = foldAccents(search ?? '').split(/\s+/);
    const isFound = ({ name }: Program) => words.every((word) => foldAccents(foldCase(name)).includes(word));
    const memberships = (await listMemberships(ctx, actor.id)).filter(isFound);
    const shown = memberships.slice(offset, offset + limit);
    return {
      programs: await readInEach(ctx, shown, (own, program) => readFigures(own, program, span)),
      total: memberships.length,
      limit,
      offset,
    };
  },
});

async function readFigures(ctx: Context, program: Program, span: Span): Promise<z.input<typeof ProgramFigures>> {
  const { id, name, mode, organizationId, currency, timezone } = program;
  const now = ctx.clock.now();
  const range = toRange({ ...span, ...readSpan(span, localDate(now, timezone)) });
  const { from, to } = range.current;
  const paid = { paidFrom: startOfDay(from, timezone), paidTo: startOfDay(addDays(to, 1), timezone) };
  const [performance, money, attention] = await Promise.all([
    readPerformance(ctx, id, range),
    readMoney(ctx, id, { now, ...paid }),
    readAttention(ctx, { programId: id, permissions: permissionsOf(program.held) }),
  ]);
  const { current, previous } = performance;
  return {
    id,
    name,
    mode: mode === 'test' ? 'test' : 'live',
    organizationId,
    currency,
    from,
    to,
    salesCents: { value: current.salesCents, previous: previous?.salesCents ?? null },
    commissionsCents: { value: current.commissionsCents, previous: previous?.commissionsCents ?? null },
    pendingCents: money.pendingCents,
    heldCents: money.heldCents,
    owedCents: money.readyCents,
    attention,
  };
}
