// How an external system can behave, for every simulator alike. What matters is the order: whether it paid before
// or after the caller stopped waiting.
import { elapse } from '../time/wait.ts';

export type Mode =
  /** Pays and says so. */
  | 'pay'
  /** Accepts the payment, and pays it when the test calls settle. */
  | 'take'
  | 'reject'
  /** Pays and never answers. */
  | 'pay_then_hang'
  /** Never responds, and pays when the test calls settle. */
  | 'hang_then_pay'
  | 'fail_before'
  | 'fail_after'
  | 'reset_before'
  | 'reset_after'
  | 'rate_limit'
  /** Pays one unit more than it was asked to, and says so. */
  | 'wrong_amount'
  /** Pays, and answers after a while. */
  | 'slow'
  /** Pays, and returns an unreadable response. */
  | 'garbage';

export type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang' | 'reset';

/** The possible outcomes of one payment request. `pay` changes the records immediately and returns the response. */
export type Attempt = {
  /** The payee, if the simulated system passes it to the test. */
  payee?: string;
  pay(options: { extraCents: number; settled: boolean }): Reply;
  reject(): Reply;
  limit?(): Reply;
};

/** What happens to the n-th request to pay (from 0). */
export type ModeOf = (n: number, payee: string | undefined) => Mode;

/** Decides for each request to pay what happens to it. */
export function faults({ slowMs = 200 } = {}) {
  let modeOf: ModeOf = () => 'pay';
  let asked = 0;
  let pending: (() => unknown)[] = [];
  const ordinary = { extraCents: 0, settled: true };
  return {
    /** One mode, or one for the n-th request from now on (from 0). */
    setMode(next: Mode | ModeOf): void {
      asked = 0;
      modeOf = typeof next === 'function' ? next : () => next;
    },
    /** What hung is paid now. */
    settle(): void {
      const now = pending;
      pending = [];
      for (const pay of now) pay();
    },
    later: (work: () => unknown) => void pending.push(work),
    async pass({ payee, pay, reject, limit }: Attempt): Promise<Reply> {
      const mode = modeOf(asked, payee);
      asked += 1;
      switch (mode) {
        case 'pay':
          return pay(ordinary);
        case 'take':
          return pay({ ...ordinary, settled: false });
        case 'wrong_amount':
          return pay({ ...ordinary, extraCents: 1 });
        case 'reject':
          return reject();
        case 'rate_limit':
          return limit?.() ?? { status: 429, headers: { 'retry-after': '7' }, body: { error: 'too many requests' } };
        case 'hang_then_pay':
          pending.push(() => pay(ordinary));
          return 'hang';
        case 'reset_before':
          return 'reset';
        case 'fail_before':
          return serverError;
        case 'slow':
          await elapse(slowMs);
          return pay(ordinary);
        default:
          pay(ordinary);
          return afterwards[mode];
      }
    },
  };
}

const serverError: Reply = { status: 500, body: { error: 'internal' } };
const afterwards: Record<'pay_then_hang' | 'fail_after' | 'reset_after' | 'garbage', Reply> = {
  pay_then_hang: 'hang',
  fail_after: serverError,
  reset_after: 'reset',
  garbage: { status: 200, body: '<html>It works!</html>' },
};

/** A number from 0 to 1 for each call, the same for the same seed. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Every item `times` times, in an order that follows from the seed, as real deliveries are repeated and reordered. */
export function shuffled<Item>(items: readonly Item[], { times = 1, seed = 1 } = {}): Item[] {
  const chance = chanceOf(seed);
  return Array.from({ length: times }, () => items)
    .flat()
    .map((item) => ({ item, place: chance() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
