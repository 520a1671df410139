// The real service beside the model: a scenario of one affiliate, whose events are reported to both.
import { sql } from 'kysely';
import { z } from 'zod';
import { createProgram } from '../../../server/accounts/programs/create.ts';
import type { Outcome } from '../../../server/connections/rails/rail.ts';
import type { Context } from '../../../server/context.ts';
import { addRule } from '../../../server/earning/commission-rules/create.ts';
import { ruleFields } from '../../../server/earning/commission-rules/write-rule.ts';
import { adjustCommission } from '../../../server/earning/commissions/adjust.ts';
import { holdCommission, releaseCommission } from '../../../server/earning/commissions/hold.ts';
import { matureSome } from '../../../server/earning/commissions/mature.ts';
import { ReportedOrder } from '../../../server/earning/conversions/order.ts';
import { recordOrders } from '../../../server/earning/conversions/recording/record.ts';
import { resolveFraudEvent } from '../../../server/earning/fraud/resolve.ts';
import { reportDispute } from '../../../server/earning/refunds/dispute.ts';
import { reportRefund } from '../../../server/earning/refunds/report.ts';
import type { Random } from '../../../server/operations/demo/random.ts';
import { Invite, invite } from '../../../server/partners/affiliates/invite.ts';
import { applyResponses } from '../../../server/paying/payouts/apply-responses.ts';
import { cancelPayout } from '../../../server/paying/payouts/decide/cancel.ts';
import { dispatchPayouts } from '../../../server/paying/payouts/dispatch.ts';
import { recordValues } from '../../../server/platform/db/recorded-values.ts';
import type { AnyEndpoint } from '../../../server/platform/http/declaration/endpoint.ts';
import { ApiError } from '../../../server/platform/lib/errors.ts';
import { addProduct } from '../../../server/promotion/catalogue/create.ts';
import { aPrincipal, call, type World, within } from '../simulation/call.ts';
import { emptyModel } from '../simulation/model.ts';
import type { Ending, Kind, Order, Payout, Piece } from './hold-model.ts';

const Rule = z.object(ruleFields);
const command = { kind: 'command' as const, id: 'scenario' };

/** A program with 10 % for everything and $5.00 for one product, and without a cap, so that a free order earns. */
export async function openProgram(ctx: Context, now: Date): Promise<World> {
  const story = {
    ctx,
    now,
    affiliates: [],
    rules: [],
    orders: [],
    commissions: [],
    fraudEvents: [],
    payouts: [],
    serial: 0,
    model: emptyModel(),
  };
  const world: World = { ...story, products: [], chance: noChance, actor: noActor };
  return within(world, async (tx) => {
    const fresh = { name: 'Scenarios', mode: 'test' as const, currency: 'USD', timezone: 'UTC', websiteUrl: null };
    const { programId, keyId } = await createProgram(tx, fresh, command);
    await tx.db.updateTable('programs').set({ commissionCapPercent: null, holdDays: 30 }).where('id', '=', programId).execute();
    await recordValues(tx, 'programs', programId, [programId]);
    const actor = aPrincipal(programId, keyId);
    const product = { name: 'Flat', priceCents: 1000, checkoutUrl: 'https://shop.example/flat' };
    const { id } = await addProduct(tx, actor, product);
    const rules = [
      { name: 'all', type: 'percentage', rate: 10 },
      { name: 'flat', type: 'flat', amountCents: 500, productId: id },
    ];
    for (const rule of rules) await addRule(tx, programId, Rule.parse(rule), { actor });
    // Its clock has passed since the rules were created, so that they apply to the orders.
    return { ...world, products: [id], actor };
  });
}

const noChance: Random = { number: () => 0, pick: ([item]) => item, happens: () => false };
const noActor = aPrincipal('', '');

export type Seen = { pieces: [id: string, status: string, owedCents: number][]; balances: number[] };

/** One affiliate of the program. Methods return false where the service responded with 400 or 422. */
export class HoldWorld {
  readonly #ids = new Map<object, string>();
  #affiliateId = '';
  readonly #world: World;
  readonly #email: string;

  constructor(world: World) {
    this.#world = world;
    world.serial += 1;
    this.#email = `s${world.serial}@example.com`;
  }

  async open(): Promise<void> {
    const { programId } = this.#world.actor;
    const given = { email: this.#email, firstName: 'S', lastName: 'S', autoApprove: true, sendInvite: false };
    const affiliate = await within(this.#world, (tx) => invite(tx, { programId, actor: command }, Invite.parse(given)));
    this.#affiliateId = affiliate.id;
  }

  idOf(thing: object): string {
    const id = this.#ids.get(thing);
    if (id === undefined) throw new Error('Nothing was recorded for it.');
    return id;
  }

  async order(order: Order, kind: Kind, amountCents: number, isSuspicious: boolean): Promise<void> {
    const { actor, products } = this.#world;
    this.#world.serial += 1;
    const orderId = `o-${this.#world.serial}`;
    const flat = [{ productId: products[0], amountCents }];
    const report = ReportedOrder.parse({
      orderId,
      amountCents,
      items: kind === 'percentage' ? [] : flat,
      affiliateId: this.#affiliateId,
      customer: { email: isSuspicious ? this.#email : 'buyer@example.com' },
    });
    const outcome = await within(this.#world, async (tx) => {
      const flatRefunds = kind === 'kept' ? 'keep' : 'pro_rata';
      await tx.db.updateTable('programs').set({ flatRefunds }).where('id', '=', actor.programId).execute();
      const [recorded] = await recordOrders(tx, actor.programId, [{ order: report, actor }]);
      return recorded;
    });
    if (outcome?.kind !== 'credited') throw new Error('The order was not credited.');
    const [piece] = order.pieces;
    const [commission] = outcome.conversion.commissions;
    if (!piece || !commission) throw new Error('An order that earned nothing.');
    this.#ids.set(order, orderId);
    this.#ids.set(piece, commission.id);
    this.#ids.set(order.disputes, outcome.conversion.id);
  }

  hold = (piece: Piece) => this.#ask(holdCommission, { params: { id: this.idOf(piece) }, body: { note: 'scenario' } });

  release = (piece: Piece) => this.#ask(releaseCommission, { params: { id: this.idOf(piece) }, body: {} });

  dispute(order: Order, id: string, status: string, amountCents: number | null): Promise<boolean> {
    const orderId = this.idOf(order);
    return this.#ask(reportDispute, { body: { disputeId: `${orderId}-${id}`, orderId, status, amountCents: amountCents ?? undefined } });
  }

  async resolve(order: Order, resolution: string): Promise<boolean> {
    const events = this.#world.ctx.db.selectFrom('fraudEvents').select('id').where('programId', '=', this.#world.actor.programId);
    const event = await events.where('conversionId', '=', this.idOf(order.disputes)).executeTakeFirst();
    return event ? this.#ask(resolveFraudEvent, { params: { id: event.id }, body: { resolution } }) : false;
  }

  refund(order: Order, amountCents: number | null): Promise<boolean> {
    this.#world.serial += 1;
    const body = { refundId: `r-${this.#world.serial}`, orderId: this.idOf(order), amountCents: amountCents ?? undefined };
    return this.#ask(reportRefund, { body });
  }

  /** `added` is the piece of the model; undefined when that adjustment was rejected. */
  adjust(piece: Piece, amountCents: number, added: Piece | undefined): Promise<boolean> {
    const body = { amountCents, note: 'scenario' };
    return this.#ask(adjustCommission, { params: { id: this.idOf(piece) }, body }, ({ id }) => void (added && this.#ids.set(added, id)));
  }

  async mature(): Promise<void> {
    await within(this.#world, (tx) => matureSome(tx, this.#world.actor.programId));
  }

  async dispatch(payout: Payout | undefined): Promise<number | null> {
    let amountCents: number | null = null;
    const body = { affiliateIds: [this.#affiliateId], minimumPayoutCents: 0 };
    await this.#ask(dispatchPayouts, { body }, ({ payouts: [dispatched] }) => {
      amountCents = dispatched.amountCents;
      if (payout) this.#ids.set(payout, dispatched.id);
    });
    return amountCents;
  }

  async end(payout: Payout, ending: Ending): Promise<void> {
    const payoutId = this.idOf(payout);
    const reference = `ref-${payoutId}`;
    if (ending === 'cancelled') {
      await this.#ask(cancelPayout, { params: { id: payoutId }, body: { confirmNotPaid: true } });
      return;
    }
    const responses: Record<typeof ending, Outcome> = {
      paid: { outcome: 'paid', reference },
      sent: { outcome: 'sent', reference },
      failed: { outcome: 'failed', code: 'closed', reason: 'scenario' },
      returned: { outcome: 'returned', reference, reason: 'scenario' },
    };
    const { ctx, now, actor } = this.#world;
    const provider = { kind: 'provider' as const, id: 'scenario' };
    await applyResponses({ ...ctx, clock: { now: () => now } }, actor.programId, [{ payoutId, response: responses[ending] }], provider);
  }

  /** What the service says by now: its commissions and the accounts pending, available, in transit, paid. */
  async look(): Promise<Seen> {
    const { programId } = this.#world.actor;
    const { rows } = await sql<Seen>`
      select (select coalesce(json_agg(json_build_array(id, status, amount_cents - reversed_cents - settled_cents) order by id), '[]')
          from commissions where program_id = ${programId} and affiliate_id = ${this.#affiliateId}) as pieces,
        (select json_build_array(pending_cents, available_cents, in_transit_cents, paid_cents)
          from ledger_balances where program_id = ${programId} and affiliate_id = ${this.#affiliateId}) as balances`.execute(
      this.#world.ctx.db,
    );
    const [seen] = rows;
    return { pieces: seen?.pieces ?? [], balances: seen?.balances ?? [0, 0, 0, 0] };
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  async #ask(endpoint: AnyEndpoint, given: { body?: unknown; params?: Record<string, string> }, take?: (answer: any) => void) {
    try {
      const answer = await call(this.#world, endpoint, given);
      take?.(answer);
      return true;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 400 || error.status === 422)) return false;
      throw error;
    }
  }
}
