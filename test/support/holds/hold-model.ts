// A model of one affiliate's commissions, written only from the table of events in ARCHITECTURE.md: no imports, no database.
// Every method returns false for an event that is rejected, and then changes nothing.

export type Kind = 'percentage' | 'flat' | 'kept' | 'free';
export type Ending = 'paid' | 'sent' | 'failed' | 'returned' | 'cancelled';

type Dispute = { status: 'opened' | 'won' | 'lost'; amountCents: number | null; refund: Refund | null };
type Refund = { cents: number; isUndone: boolean };

export type Order = {
  kind: Kind;
  amountCents: number;
  fraudAlert: 'none' | 'open' | 'resolved';
  disputes: Map<string, Dispute>;
  refunds: Refund[];
  pieces: Piece[];
};

/** A commission of an order, or an adjustment of one. */
export type Piece = {
  order: Order;
  adjusts: Piece | null;
  amountCents: number;
  /** The part of the order amount that later refunds can reverse. */
  baseCents: number;
  /** An adjustment of a fully refunded commission: refunds don't change it. */
  isBeyondRefunds: boolean;
  reversedCents: number;
  inTransitCents: number;
  arrivedCents: number;
  maturesAt: number;
  isHeldManually: boolean;
  status: string;
};

export type Payout = { lines: { piece: Piece; cents: number }[]; status: string };

const day = 86_400_000;
const earned: Record<Kind, (amountCents: number) => number> = {
  percentage: (amountCents) => Math.round(amountCents / 10),
  flat: () => 500,
  kept: () => 500,
  free: () => 500,
};

export class HoldModel {
  readonly orders: Order[] = [];
  readonly payouts: Payout[] = [];

  now: number;

  constructor(now: number) {
    this.now = now;
  }

  get pieces(): Piece[] {
    return this.orders.flatMap(({ pieces }) => pieces);
  }

  order(kind: Kind, amountCents: number, isSuspicious: boolean): Order {
    const fraudAlert = isSuspicious ? 'open' : 'none';
    const order: Order = { kind, amountCents, fraudAlert, disputes: new Map(), refunds: [], pieces: [] };
    this.orders.push(order);
    this.#add(order, { adjusts: null, amountCents: earned[kind](amountCents), baseCents: amountCents, isBeyondRefunds: false });
    return order;
  }

  hold(piece: Piece): boolean {
    const isPayable = piece.status === 'paid' ? owed(piece) > 0 : ['pending', 'held', 'approved'].includes(piece.status);
    if (!isPayable || piece.amountCents < 0 || piece.isHeldManually) return false;
    if (piece.reversedCents === piece.amountCents) return false;
    piece.isHeldManually = true;
    this.#update(piece.order);
    return true;
  }

  release(piece: Piece): boolean {
    if (!piece.isHeldManually) return false;
    piece.isHeldManually = false;
    this.#update(piece.order);
    return true;
  }

  dispute(order: Order, id: string, status: Dispute['status'], amountCents: number | null): boolean {
    const before = order.disputes.get(id) ?? { status: 'new', amountCents: null, refund: null };
    if (before.status === status || (before.status !== 'new' && status === 'opened')) return true;
    let refund = before.refund;
    if (status === 'won' && refund) refund.isUndone = true;
    if (status === 'lost' && !isFullyRefunded(order)) {
      const left = order.amountCents - refundedOf(order);
      if (amountCents !== null && amountCents > left) return false;
      refund = { cents: amountCents ?? Math.min(before.amountCents ?? left, left), isUndone: false };
      order.refunds.push(refund);
    }
    order.disputes.set(id, { status, amountCents: amountCents ?? before.amountCents, refund });
    this.#update(order);
    return true;
  }

  resolve(order: Order, resolution: 'legitimate' | 'fraud'): boolean {
    if (order.fraudAlert !== 'open') return false;
    order.fraudAlert = 'resolved';
    for (const piece of order.pieces) {
      if (resolution === 'legitimate') continue;
      piece.status = 'rejected';
      piece.reversedCents = piece.amountCents;
    }
    this.#update(order);
    return true;
  }

  /** Without an amount: everything that is left. */
  refund(order: Order, amountCents: number | null): boolean {
    const left = order.amountCents - refundedOf(order);
    if (isFullyRefunded(order) || (amountCents ?? 0) > left) return false;
    order.refunds.push({ cents: amountCents ?? left, isUndone: false });
    this.#update(order);
    return true;
  }

  adjust(piece: Piece, amountCents: number): boolean {
    if (piece.adjusts || piece.status === 'reversed' || piece.status === 'rejected') return false;
    const all = piece.order.pieces.filter((one) => one === piece || one.adjusts === piece);
    if (all.reduce((sum, one) => sum + one.amountCents - one.reversedCents, amountCents) < 0) return false;
    const isBeyondRefunds = piece.reversedCents === piece.amountCents;
    const baseCents = piece.baseCents - refundedOf(piece.order);
    this.#add(piece.order, { adjusts: piece, amountCents, baseCents, isBeyondRefunds });
    return true;
  }

  mature(): void {
    for (const piece of this.pieces) if (piece.status === 'pending' && piece.maturesAt <= this.now) piece.status = 'approved';
  }

  /** The amount of the payout; null when nothing is due. What has matured becomes payable first, either way. */
  dispatch(): number | null {
    this.mature();
    const isPayable = ({ status }: Piece) => status !== 'held' && status !== 'pending';
    const isBusy = (piece: Piece) =>
      this.payouts.some(({ status, lines }) => isOpen(status) && lines.some((one) => one.piece === piece && one.cents > 0));
    const due = this.pieces.filter((piece) => isPayable(piece) && (owed(piece) < 0 || (owed(piece) > 0 && !isBusy(piece))));
    const amountCents = due.reduce((sum, piece) => sum + owed(piece), 0);
    if (amountCents <= 0) return null;
    const lines = due.map((piece) => ({ piece, cents: owed(piece) }));
    for (const { piece, cents } of lines) piece.inTransitCents += cents;
    this.payouts.push({ lines, status: 'queued' });
    return amountCents;
  }

  /** Applies the response of the provider or the decision of a person. Late and repeated ones change nothing. */
  end(payout: Payout, ending: Ending): void {
    const wasOpen = isOpen(payout.status);
    if (ending === 'paid' || ending === 'returned') {
      if (payout.status !== 'paid' && payout.status !== 'returned') {
        this.#moveLines(payout, ({ piece, cents }) => {
          if (wasOpen) piece.inTransitCents -= cents;
          piece.arrivedCents += cents;
        });
        payout.status = 'paid';
      }
      if (ending === 'paid' || payout.status === 'returned') return;
      payout.status = 'returned';
      this.#moveLines(payout, ({ piece, cents }) => {
        piece.arrivedCents -= cents;
      });
    } else if (ending !== 'sent' && wasOpen) {
      payout.status = ending;
      this.#moveLines(payout, ({ piece, cents }) => {
        piece.inTransitCents -= cents;
      });
    }
  }

  #moveLines(payout: Payout, move: (line: Payout['lines'][number]) => void): void {
    for (const line of payout.lines) {
      move(line);
      line.piece.status = this.#statusOf(line.piece);
    }
  }

  #add(order: Order, fresh: Pick<Piece, 'adjusts' | 'amountCents' | 'baseCents' | 'isBeyondRefunds'>): void {
    const zero = { reversedCents: 0, inTransitCents: 0, arrivedCents: 0, isHeldManually: false };
    const maturesAt = fresh.adjusts?.maturesAt ?? this.now + 30 * day;
    const piece: Piece = { order, ...fresh, ...zero, maturesAt, status: fresh.adjusts?.status ?? 'pending' };
    piece.status = this.#statusOf(piece);
    order.pieces.push(piece);
  }

  #update(order: Order): void {
    for (const piece of order.pieces) {
      if (piece.status !== 'rejected') piece.reversedCents = reversalOf(piece);
      piece.status = this.#statusOf(piece);
    }
  }

  /** The last two columns of the table. */
  #statusOf(piece: Piece): string {
    const { status, amountCents, reversedCents, arrivedCents, maturesAt } = piece;
    if (status === 'rejected') return 'rejected';
    const hasArrived = arrivedCents * amountCents > 0;
    if (reversedCents === amountCents) return hasArrived ? 'paid' : 'reversed';
    if (hasOpenCause(piece) && owed(piece) > 0) return 'held';
    if (hasArrived) return 'paid';
    if (status === 'paid') return 'approved';
    if (status === 'held' || status === 'reversed') return maturesAt <= this.now ? 'approved' : 'pending';
    return status;
  }
}

export function owed({ amountCents, reversedCents, inTransitCents, arrivedCents }: Piece): number {
  return amountCents - reversedCents - inTransitCents - arrivedCents;
}

export function isOpen(status: string): boolean {
  return status === 'queued' || status === 'sent';
}

function hasOpenCause({ order, adjusts, isHeldManually }: Piece): boolean {
  const isDisputed = [...order.disputes.values()].some(({ status }) => status === 'opened');
  return isDisputed || order.fraudAlert === 'open' || isHeldManually || (adjusts?.isHeldManually ?? false);
}

function refundedOf({ refunds }: Order): number {
  return refunds.reduce((sum, { cents, isUndone }) => sum + (isUndone ? 0 : cents), 0);
}

function isFullyRefunded(order: Order): boolean {
  if (order.amountCents === 0) return order.refunds.some(({ isUndone }) => !isUndone);
  return refundedOf(order) === order.amountCents;
}

/** The share of its base that was refunded since; of `keep` amounts nothing until everything is. */
function reversalOf(piece: Piece): number {
  const { order, amountCents, baseCents } = piece;
  if (piece.isBeyondRefunds) return 0;
  if (isFullyRefunded(order)) return amountCents;
  const refunded = Math.max(0, refundedOf(order) - (order.amountCents - baseCents));
  if (refunded === 0 || order.kind === 'kept') return 0;
  return Math.sign(amountCents) * Math.floor((2 * Math.abs(amountCents) * refunded + baseCents) / (2 * baseCents));
}
