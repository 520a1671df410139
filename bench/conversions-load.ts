// The load of the benchmark of conversions: orders with new order ids.
import { drive, isWholeBody } from './drive.ts';

export type Load = { port: number; key: string; connections: number; seconds: number; codes: string[]; name: string };
export type Measured = { credited: number; others: number; perSecond: number; p50Ms: number; p99Ms: number };

/** Reports orders, each for a random code of those given. */
export async function runLoad({ key, codes, name, ...load }: Load): Promise<Measured> {
  const counts = { credited: 0, others: 0 };
  let serial = 0;
  const request = (): string => {
    serial += 1;
    const referralCode = codes[Math.floor(Math.random() * codes.length)];
    const order = { orderId: `${name}-${serial}`, amountCents: 1000 + (serial % 9000), referralCode };
    const body = JSON.stringify({ ...order, customer: { externalId: `${name}-c${serial}` } });
    const headers = `Host: bench\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    return `POST /v1/conversions HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
  };
  const answered = (text: string): void => {
    if (text.startsWith('HTTP/1.1 201')) counts.credited += 1;
    else counts.others += 1;
  };
  const { elapsedMs, p50Ms, p99Ms } = await drive({ ...load, request, isWhole: isWholeBody, answered });
  return { ...counts, perSecond: (counts.credited / elapsedMs) * 1000, p50Ms, p99Ms };
}
