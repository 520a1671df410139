// The load of the benchmark of conversions: orders with new order ids.
import { drive, isWholeBody } from './drive.ts';
import { codeOf } from './fill.ts';

/** `affiliates` of each program, of which the first `used` get the orders. */
export type Load = { port: number; connections: number; seconds: number; name: string; keys: string[]; affiliates: number; used: number };
export type Measured = { credited: number; others: number; perSecond: number; p50Ms: number; p99Ms: number };

/** Reports orders for the programs in turn, each for one of the first affiliates of the program. */
export async function runLoad({ keys, affiliates, used, name, ...load }: Load): Promise<Measured> {
  const counts = { credited: 0, others: 0 };
  let serial = 0;
  const request = (): string => {
    serial += 1;
    const program = serial % keys.length;
    const referralCode = codeOf(program * affiliates + 1 + Math.floor(Math.random() * used));
    const order = { orderId: `${name}-${serial}`, amountCents: 1000 + (serial % 9000), referralCode };
    const body = JSON.stringify({ ...order, customer: { externalId: `${name}-c${serial}` } });
    const headers = `Host: bench\r\nAuthorization: Bearer ${keys[program]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    return `POST /v1/conversions HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
  };
  const onResponse = (text: string): void => {
    if (text.startsWith('HTTP/1.1 201')) counts.credited += 1;
    else counts.others += 1;
  };
  const { elapsedMs, p50Ms, p99Ms } = await drive({ ...load, request, isWhole: isWholeBody, onResponse });
  return { ...counts, perSecond: (counts.credited / elapsedMs) * 1000, p50Ms, p99Ms };
}
