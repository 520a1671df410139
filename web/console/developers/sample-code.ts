// The code that reports a first order, for the developers of the program. Pure.

export const languages = ['curl', 'typescript'] as const;
export type Language = (typeof languages)[number];

type Sample = {
  /** The address of this service. */
  service: string;
  referralCode: string;
};

/** What reports an order from the program's server. The key is read from the environment. */
export function orderCode(language: Language, { service, referralCode }: Sample): string {
  if (language === 'curl')
    return `curl ${service}/v1/conversions \\
  -H "Authorization: Bearer $TRIBUTARY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{ "orderId": "order-1", "amountCents": 4980, "referralCode": "${referralCode}" }'`;
  return `import { createClient } from '@tributary/client';

const client = createClient({ url: '${service}', apiKey: process.env.TRIBUTARY_API_KEY });

const outcome = await client.conversions.report({
  orderId: 'order-1',
  amountCents: 4980,
  referralCode: '${referralCode}',
});`;
}

/** What records clicks in the program's website. */
export function clickCode({ service, programId }: { service: string; programId: string }): string {
  return `<script src="${service}/t.js" data-program="${programId}" defer></script>`;
}

type Sent = { method: string; path: string; body: object | null };

/** A logged request as a command. What the log masked has to be filled in. */
export function requestCode({ method, path, body }: Sent, service: string): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [`curl -X ${method} ${quote(service + path)}`, '-H "Authorization: Bearer $TRIBUTARY_API_KEY"'];
  const content = body === null ? [] : ['-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(body))}`];
  return [...lines, ...content].join(' \\\n  ');
}
