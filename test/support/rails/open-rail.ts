// A rail and a payment for tests that speak to one vendor, without a service around them.

import type { Destination, Payment, Rail, RailType } from '../../../server/connections/rails/rail.ts';
import type { Clock } from '../../../server/platform/lib/clock.ts';
import type { HttpRequest, HttpResponse } from '../../../server/platform/lib/http.ts';
import { randomIds } from '../../../server/platform/lib/ids.ts';

export type Opening = {
  config: Record<string, unknown>;
  secrets: Record<string, string>;
  http: (request: HttpRequest) => Promise<HttpResponse>;
  clock: Clock;
};

export function openRail(type: RailType, { config, secrets, http, clock }: Opening): Rail {
  return type.open({ config: type.config.parse(config), secrets: type.secrets.parse(secrets), http, clock, eventsUrl: '' });
}

export function paymentTo(destination: Destination, { currency = 'USD', amountCents = 1250 } = {}): Payment {
  const ids = { id: randomIds.uuid(), programId: randomIds.uuid(), affiliateId: randomIds.uuid() };
  return { ...ids, amountCents, currency, destination, memo: 'March' };
}

export type Said = { status: number; body: unknown };

/** Answers by `METHOD path`, the path without its query; keeps what was asked. */
export function scripted(answers: Record<string, Said>) {
  const asked: { what: string; body: string }[] = [];
  const http = async ({ method, url, body = '' }: HttpRequest): Promise<HttpResponse> => {
    const what = `${method} ${new URL(url).pathname}`;
    asked.push({ what, body: String(body) });
    const said = answers[what] ?? { status: 500, body: {} };
    return { status: said.status, headers: {}, body: JSON.stringify(said.body) };
  };
  return { http, asked };
}
