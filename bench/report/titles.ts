// What the charts of docs/performance.md are called, what each was measured against, and how its bars are labelled.
import type { Figure } from './outcome.ts';

type Chart = { title: string; about: string };

const redirects = 'Following a short link: the click is stored in the database before the visitor is redirected.';
const orders = 'Recording an order, with its attribution, commission and ledger entries, before the response is sent.';

/** By benchmark and unit. */
const charts: Record<string, Chart> = {
  'clicks of bare': {
    title: 'Clicks per second, as a share of a bare server',
    about: `${redirects} The bare server only redirects: it has no database.`,
  },
  'clicks of prototype': {
    title: 'Clicks per second, as a share of a minimal durable redirect',
    about: `${redirects} The minimal one stores the row and redirects, without limits, settings or totals.`,
  },
  'clicks ms': { title: 'Response time of clicks, 99th percentile, in milliseconds', about: `${redirects} 99 of 100 visitors wait less.` },
  'conversions of its limit': {
    title: 'Orders per second, as a share of the limit beside each bar',
    about: `${orders} The limits: clients of pgbench write the same rows, without HTTP, rules or attribution, one order per transaction, or batches of 60 with one statement per table. The last two bars compare Tributary with itself.`,
  },
  'conversions ms': { title: 'Response time of a single order, median, in milliseconds', about: `${orders} One request at a time.` },
  'conversions times': {
    title: 'Response time of a single order, as a multiple of pgbench',
    about: `${orders} pgbench writes the same rows from one client.`,
  },
  'requests of bare': {
    title: 'API requests per second, as a share of a bare JSON server',
    about: 'The bare server returns constant JSON: no authentication, no database.',
  },
  'requests of bare list': {
    title: 'Lists per second, as a share of a bare server with the same SQL',
    about: 'The bare server runs the statements of the list of affiliates and returns the rows.',
  },
  'start s': {
    title: 'Time until the service is ready, in seconds',
    about:
      '`npm start` with an existing database, from the command to the line that the service is ready. The second bar is npm with an empty script.',
  },
  'start MB': { title: 'Memory of an idle service, in megabytes', about: 'All processes: npm, the service and the embedded PostgreSQL.' },
  'storefront ms': {
    title: 'Largest contentful paint of a public page, in milliseconds',
    about: 'Chromium with a phone’s screen and an empty cache; the server is on the same machine.',
  },
  'webhooks %': {
    title: 'Effect of webhook deliveries on slow API requests, in percent',
    about: 'The change of the 99th percentile while every change is delivered to five webhooks, of which one fails, hangs or streams.',
  },
  'webhooks ms': {
    title: 'Response time of the API with and without deliveries, in milliseconds',
    about: 'The same requests at a steady rate while webhooks are paused, and while they are delivered.',
  },
};

/** A benchmark without an entry is named by what it measured. */
export function describeChart(benchmark: string, unit: string): Chart {
  return charts[`${benchmark} ${unit}`] ?? { title: `${benchmark}: ${unit}`, about: '' };
}

const labels: Record<string, string> = {
  'clicks 128, 16 programs': '128 connections, 16 programs',
  'rejected 128': '128 connections, clicks over a limit',
  'prototype 128': 'Minimal redirect, 128 connections',
  'clicks 128, p99': '128 connections',
  '1 connection, of pgbench 1': '1 connection, of 1 client',
  '8 connections, of pgbench 10': '8 connections, of 10 clients',
  '64 connections, of pgbench 10': '64 connections, of 10 clients',
  '64 connections, of set-wise': '64 connections, of batches of 60',
  'one affiliate, of many': 'One affiliate, of many affiliates',
  '16 programs, of one': '16 programs, of one program',
  '1 connection, times pgbench 1': '1 connection',
  'npm start, until ready': 'npm start',
  'npm with an empty script': 'npm with an empty script',
  'idle, with PostgreSQL and npm': 'npm, service and PostgreSQL',
  'change of the p99 of the API': '99th percentile',
  'p50, paused': 'Median, webhooks paused',
  'p50, delivering': 'Median, delivering',
  'p99, paused': '99th percentile, webhooks paused',
  'p99, delivering': '99th percentile, delivering',
};

const requests: Record<string, string> = {
  clicks: '',
  me: 'GET /v1/me, ',
  page: 'Landing page, ',
  affiliate: 'One affiliate, ',
  list: 'List of affiliates, ',
  order: 'Record an order, ',
};

/** The label of a bar: figures are named shortly, since tables of a terminal are narrow. */
export function labelFigure({ name }: Pick<Figure, 'name'>): string {
  const known = labels[name];
  if (known !== undefined) return known;
  const [, request = '', connections = ''] = /^(\w+) (\d+)$/.exec(name) ?? [];
  const prefix = requests[request];
  if (prefix === undefined) return name.charAt(0).toUpperCase() + name.slice(1);
  return `${prefix}${connections} ${connections === '1' ? 'connection' : 'connections'}`;
}
