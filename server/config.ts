// Settings from the environment, read once. All invalid settings are reported together.
// `.env.example` and the README's table are generated from `settings`.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseHosts } from './platform/db/hosts/parse-hosts.ts';
import { parseHostName } from './platform/lib/network/host-name.ts';
import { parseIpRange } from './platform/lib/network/ip-address.ts';

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.int().max(65_535));
const count = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number);
const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((text) => text === '1');
const addresses = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
  .refine((list) => list.every((text) => parseIpRange(text) !== null), { message: 'must be IP addresses or CIDR ranges, comma-separated' });
const urlWith = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
    message: `must be a URL starting with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  });

const databaseUrl = z.string().refine((text) => parseHosts(text) !== null, {
  message: 'must be a URL starting with postgres:// or postgresql://, with one host or several different ones, comma-separated',
});

const domainTargets = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => part.trim().toLowerCase() || []))
  .refine((list) => list.every((text) => isIP(text) !== 0 || parseHostName(text) !== null), {
    message: 'must be host names or IP addresses, comma-separated',
  });

const senderSpf = z
  .string()
  .regex(/^(include:|a:|mx:|ip4:|ip6:)[a-z0-9._:/-]+$/i, 'must be an SPF mechanism such as include:spf.example.com');

const senderDkim = z
  .string()
  .regex(/^[a-z0-9.-]+=[a-z0-9._-]+$/i, 'must be a selector and a host name, such as tributary=dkim.example.com')
  .transform((text) => text.toLowerCase());

const secretKeys = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => (part.trim() ? [Buffer.from(part.trim(), 'base64')] : [])))
  .refine((keys) => keys.every((key) => key.length === 32), { message: 'must be keys of 32 bytes in base64, comma-separated' });

const setting = <T extends z.ZodType>(schema: T, fallback: string | undefined, meaning: string) => ({ schema, fallback, meaning });

/** Every setting: its schema, default and description. */
export const settings = {
  PORT: setting(port, '3000', 'The port to listen on; 0 selects a free port.'),
  HOST: setting(z.string().min(1), '127.0.0.1', 'The address to listen on; 0.0.0.0 for all interfaces.'),
  PUBLIC_URL: setting(urlWith('http:', 'https:').optional(), undefined, 'The public URL of this service. Default: http://HOST:PORT.'),
  DOMAIN_TARGETS: setting(
    domainTargets,
    '',
    'The host name or IP addresses that custom domains of programs lead to, comma-separated. Default: the host of PUBLIC_URL.',
  ),
  DATA_DIR: setting(z.string().min(1), './data', 'The folder of the embedded database and of the secret key file.'),
  DATABASE_URL: setting(
    databaseUrl.optional(),
    undefined,
    'Connection URL of a PostgreSQL 15 or newer; with several hosts (`postgres://one:5432,two:5432/name`), the primary is used. Unset: the embedded database.',
  ),
  DATABASE_POOL_MAX: setting(
    count.pipe(z.int().min(2).max(500)),
    '20',
    'Database connections per process. One program uses at most a fifth of them.',
  ),
  SMTP_URL: setting(
    urlWith('smtp:', 'smtps:').optional(),
    undefined,
    'Mail server. Unset: emails are stored, not sent (`bin/tributary mail list`).',
  ),
  MAIL_FROM: setting(z.string().min(3), 'Tributary <no-reply@localhost>', 'Sender of every email.'),
  SENDER_SPF: setting(
    senderSpf.optional(),
    undefined,
    'The SPF mechanism of the mail server, such as `include:spf.example.com`. Programs can have a sender address once their domain has it. Unset: emails come from MAIL_FROM.',
  ),
  SENDER_DKIM: setting(
    senderDkim.optional(),
    undefined,
    'The DKIM selector of the mail server and the name of its key, such as `tributary=dkim.example.com`: sender domains then need a CNAME record.',
  ),
  ALERT_EMAIL: setting(
    z.email('must be an email address').optional(),
    undefined,
    'Address of the operators of this installation. It receives every alert; the members of a program receive theirs.',
  ),
  API_RATE_LIMIT: setting(count, '6000', 'Requests per minute and API key; 0 disables the limit.'),
  MAX_CONNECTIONS: setting(
    count.pipe(z.int().min(10)).optional(),
    undefined,
    'HTTP connections per process. Default: derived from the limit on open files.',
  ),
  FIRST_REQUEST_SECONDS: setting(
    count.pipe(z.int().min(1).max(60)),
    '5',
    'How long a new connection may take to send its first request headers.',
  ),
  HEADERS_SECONDS: setting(count.pipe(z.int().min(1).max(60)), '10', 'How long a request may take to send its headers.'),
  TRUSTED_PROXIES: setting(addresses, '', 'Proxy IPs or CIDR ranges. X-Forwarded-For is trusted only from these addresses.'),
  SECRET_KEYS: setting(secretKeys, '', 'Encryption keys, 32 bytes in base64 each. The first one encrypts. Unset: a file in DATA_DIR.'),
  ALLOW_PRIVATE_ADDRESSES: setting(
    flag,
    '0',
    '1 allows calls of providers, webhooks and single sign-on to http and private addresses, for local sandboxes.',
  ),
  METRICS_PORT: setting(port.optional(), undefined, 'Serves Prometheus metrics at /metrics on this port of HOST. Unset: no metrics.'),
  CLICK_RETENTION_DAYS: setting(
    count.pipe(z.int().min(1).max(3650)),
    '90',
    'Days after which hash, user agent, referrer and visitor of a click are erased. The click is counted permanently.',
  ),
  EMAIL_RETENTION_DAYS: setting(
    count.pipe(z.int().min(1).max(3650)),
    '90',
    'Days after which the text of an email is erased. That it was sent is kept.',
  ),
  REQUEST_LOG_DAYS: setting(
    count.pipe(z.int().max(90)),
    '7',
    'Days for which the requests of API keys can be read, without secrets and personal data; 0 logs none.',
  ),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'warn',
    'Log level. Logs are JSON lines on standard error.',
  ),
  TRIBUTARY_DEMO: setting(flag, '1', '1 fills an empty embedded database with a demo program; 0 does not.'),
};

export type Config = {
  port: number;
  host: string;
  publicUrl: string | undefined;
  domainTargets: string[];
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolMax: number;
  smtpUrl: string | undefined;
  mailFrom: string;
  senderSpf: string | undefined;
  senderDkim: string | undefined;
  alertEmail: string | undefined;
  apiRateLimit: number;
  maxConnections: number | undefined;
  firstRequestSeconds: number;
  headersSeconds: number;
  trustedProxies: string[];
  secretKeys: Buffer[];
  allowPrivateAddresses: boolean;
  metricsPort: number | undefined;
  clickRetentionDays: number;
  emailRetentionDays: number;
  requestLogDays: number;
  logLevel: string;
  demo: boolean;
};

/** Thrown with one line per invalid setting. */
export class InvalidSettings extends Error {}

/** Reads the settings from an environment. Throws InvalidSettings with all errors. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const read = <K extends keyof typeof settings>(name: K): z.output<(typeof settings)[K]['schema']> => {
    const { schema, fallback } = settings[name];
    const value = environment[name];
    const parsed = schema.safeParse(value === undefined || value === '' ? fallback : value);
    if (!parsed.success)
      faults.push(`${name} ${parsed.error.issues[0]?.message ?? 'is invalid'}${name.includes('SECRET') ? '' : ` (it is "${value}")`}`);
    return parsed.data as z.output<(typeof settings)[K]['schema']>;
  };
  const config: Config = {
    port: read('PORT'),
    host: read('HOST'),
    publicUrl: read('PUBLIC_URL')?.replace(/\/+$/, ''),
    domainTargets: read('DOMAIN_TARGETS'),
    dataDir: resolve(read('DATA_DIR') ?? '.'),
    databaseUrl: read('DATABASE_URL'),
    databasePoolMax: read('DATABASE_POOL_MAX'),
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM'),
    senderSpf: read('SENDER_SPF'),
    senderDkim: read('SENDER_DKIM'),
    alertEmail: read('ALERT_EMAIL'),
    apiRateLimit: read('API_RATE_LIMIT'),
    maxConnections: read('MAX_CONNECTIONS'),
    firstRequestSeconds: read('FIRST_REQUEST_SECONDS'),
    headersSeconds: read('HEADERS_SECONDS'),
    trustedProxies: read('TRUSTED_PROXIES'),
    secretKeys: read('SECRET_KEYS'),
    allowPrivateAddresses: read('ALLOW_PRIVATE_ADDRESSES'),
    metricsPort: read('METRICS_PORT'),
    clickRetentionDays: read('CLICK_RETENTION_DAYS'),
    emailRetentionDays: read('EMAIL_RETENTION_DAYS'),
    requestLogDays: read('REQUEST_LOG_DAYS'),
    logLevel: read('LOG_LEVEL'),
    demo: read('TRIBUTARY_DEMO'),
  };
  if (faults.length > 0) throw new InvalidSettings(`These settings are invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return Object.freeze(config);
}

/** The contents of `.env.example`. */
export function envExample(): string {
  const lines = Object.entries(settings).map(([name, { fallback, meaning }]) => `# ${meaning}\n# ${name}=${fallback ?? ''}\n`);
  return `# Every setting of Tributary, all optional. Copy this file to .env, which npm start, npm run dev and bin/tributary read.\n# Generated by \`npm run generate\`.\n\n${lines.join('\n')}`;
}

/** The settings table of the README. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(
    ([name, { fallback, meaning }]) => `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${meaning} |`,
  );
  return `| Setting | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}
