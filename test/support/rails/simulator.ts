// What all simulators of payout systems share: records of payments, keys that can be forgotten, and a server.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivery } from '../../../server/connections/rails/rail.ts';
import type { Mode, ModeOf, Reply } from './faults.ts';

/** One payment in the records of the simulated system. The same `paymentId` twice is money paid twice. */
export type PaymentRecord = {
  reference: string;
  paymentId: string;
  affiliateId: string | null;
  amountCents: number;
  currency: string;
  state: 'sent' | 'paid' | 'failed' | 'returned';
  at: Date;
};

export type Simulator = {
  /** The base URL (of external_webhook: the URL). */
  url: string;
  /** Every payment that was accepted, in order. */
  payments(): readonly PaymentRecord[];
  setMode(next: Mode | ModeOf): void;
  /** Expires all idempotency keys: the next repeat is a new payment. */
  forgetKeys(): void;
  /** Pays everything that is in progress, including requests that hung. */
  settle(): void;
  /** The money of a paid payment comes back. */
  returnPayment(paymentId: string): void;
  /** All events so far, signed as of now; each keeps its id. */
  events(): Promise<Delivery[]>;
  close(): Promise<void>;
};

export type Asked = { method: string; path: string; query: URLSearchParams; headers: Record<string, string>; body: string };

/** A server on loopback. Hanging requests stay open until it closes. */
export async function serve(
  answer: (asked: Asked) => Promise<Reply>,
  { port = 0 } = {},
): Promise<{ url: string; port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    reply(request, response, answer).catch((error: unknown) => {
      process.stderr.write(`The simulator failed: ${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function reply(request: IncomingMessage, response: ServerResponse, answer: (asked: Asked) => Promise<Reply>): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://rail.test');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const body = Buffer.concat(chunks).toString('utf8');
  const said = await answer({ method: request.method ?? '', path: url.pathname, query: url.searchParams, headers, body });
  if (said === 'hang') return;
  if (said === 'reset') return void request.socket.destroy();
  const text = said.body === undefined ? '' : typeof said.body === 'string' ? said.body : JSON.stringify(said.body);
  response.writeHead(said.status, { 'content-type': 'application/json', ...said.headers }).end(text);
}

/** The records and the keys of one simulated system. */
export function createRecords(changed: (row: PaymentRecord) => void) {
  const rows: PaymentRecord[] = [];
  const byPayment = new Map<string, PaymentRecord[]>();
  const keys = new Map<string, PaymentRecord>();
  const change = (row: PaymentRecord, state: PaymentRecord['state']) => {
    row.state = state;
    changed(row);
  };
  return {
    rows,
    change,
    of: (paymentId: string) => byPayment.get(paymentId) ?? [],
    known: (key: string) => keys.get(key),
    forgetKeys: () => keys.clear(),
    /** Once for a key, as long as it is remembered. */
    once(key: string, make: () => PaymentRecord): PaymentRecord {
      const earlier = keys.get(key);
      if (earlier) return earlier;
      const row = make();
      keys.set(key, row);
      rows.push(row);
      byPayment.set(row.paymentId, [...(byPayment.get(row.paymentId) ?? []), row]);
      changed(row);
      return row;
    },
    returnPayment(paymentId: string): void {
      const row = byPayment.get(paymentId)?.find(({ state }) => state === 'paid');
      if (!row) throw new Error('There is no such paid payment to return.');
      change(row, 'returned');
    },
  };
}
