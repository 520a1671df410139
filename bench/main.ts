// `npm run bench -- NAME`: what speed is required, compared with a limit that is measured in the same run. Exits with 1 when a
// requirement is missed. `--save` keeps the figures in bench/results, and `report` draws them.
import { benchBackup } from './backup.ts';
import { benchClicks } from './clicks.ts';
import { benchCluster } from './cluster/cluster.ts';
import { compareRedirects } from './compare/compare.ts';
import { benchInsights } from './console/insights.ts';
import { benchOverview } from './console/overview.ts';
import { benchConversions } from './conversions.ts';
import { benchList } from './list.ts';
import { benchNeighbors } from './neighbors/neighbors.ts';
import { benchPayouts } from './payouts/payouts.ts';
import { type Outcome, printOutcome } from './report/outcome.ts';
import { drawReport } from './report/report.ts';
import { readAllowedCpus, saveResult } from './report/results.ts';
import { benchRequestLog } from './requests/request-log.ts';
import { benchRequests } from './requests/requests.ts';
import { benchClicksGrowth } from './scale/clicks-growth.ts';
import { benchScale } from './scale/scale.ts';
import { benchStart } from './start/start.ts';
import { benchStorefront } from './storefronts/largest-paint.ts';
import { benchTable } from './table.ts';
import { benchVerify } from './verify.ts';
import { benchWebhooks } from './webhooks/latency.ts';

/** Returns what it found, or only whether every requirement was kept. */
type Benchmark = { about: string; run: (args: string[]) => Promise<Outcome | boolean> };

const benchmarks: Record<string, Benchmark> = {
  all: { about: 'those that `--save` keeps, one after the other: 20 minutes', run: benchAll },
  backup: { about: 'a backup of 1,000,000 conversions, and its restore (--rows N for fewer)', run: benchBackup },
  clicks: { about: 'durable clicks a second, compared with bare redirects and a prototype (--rounds N, --seconds N)', run: benchClicks },
  cluster: {
    about: 'the processor time of orders and clicks on a Citus cluster, compared with one PostgreSQL (--rounds N, --seconds N, --memory N)',
    run: benchCluster,
  },
  compare: {
    about: 'redirects compared with Kutt, where it is installed (--kutt URL/CODE; see docs/performance.md)',
    run: compareRedirects,
  },
  conversions: {
    about: 'orders credited a second, compared with pgbench writing the same rows (--rounds N, --seconds N)',
    run: benchConversions,
  },
  growth: { about: 'what a click costs with 10,000 and 2,000,000 clicks stored (--rows N, --seconds N)', run: benchClicksGrowth },
  insights: {
    about: 'every breakdown of Insights and its cohorts over 10,000,000 clicks and 1,000,000 orders (--clicks N for fewer)',
    run: benchInsights,
  },
  list: { about: 'the list of affiliates, 1,000,000 in one program among 1,000 small ones (--rows N for fewer)', run: benchList },
  log: { about: 'orders with the request log, compared with those without it (--rounds N, --seconds N)', run: benchRequestLog },
  neighbors: {
    about: 'requests of one program beside 20 heavy ones of another, compared with those that run at a time (--rounds N)',
    run: benchNeighbors,
  },
  overview: { about: 'the console’s overview over 5,000,000 clicks and 300,000 orders (--clicks N for fewer)', run: benchOverview },
  payouts: {
    about: '10,000 payouts over a rail, compared with what the rail itself takes, and other calls in the meantime (--items N)',
    run: benchPayouts,
  },
  report: { about: 'draws the charts of docs/performance.md from bench/results', run: drawReport },
  requests: { about: 'what requests of the API cost, compared with bare JSON (--rounds N, --seconds N)', run: benchRequests },
  scale: { about: 'every list and report over 1,000,000 orders and 5,000,000 clicks (--orders N, --clicks N for fewer)', run: benchScale },
  start: { about: 'a second start and idle memory, compared with npm with an empty script (--rounds N)', run: benchStart },
  storefront: {
    about: 'the largest contentful paint of public pages, compared with the same bytes sent bare (--rounds N)',
    run: benchStorefront,
  },
  table: { about: 'the console’s table of affiliates, as list (--rows N for fewer)', run: benchTable },
  verify: { about: 'every invariant over 1,000,000 conversions (--rows N for fewer)', run: benchVerify },
  webhooks: {
    about: 'the API while webhooks are delivered, compared with the same without (--rounds N, --seconds N, --rate N)',
    run: benchWebhooks,
  },
};

/** The order in which `all` runs them. */
const saved = ['start', 'requests', 'clicks', 'conversions', 'storefront', 'webhooks'];

async function benchAll(args: string[]): Promise<boolean> {
  const startedAt = performance.now();
  let areKept = true;
  for (const each of saved) areKept = (await runBenchmark(each, args)) && areKept;
  if (args.includes('--save')) await drawReport();
  console.log(`\n  ${((performance.now() - startedAt) / 60_000).toFixed(0)} minutes`);
  return areKept;
}

async function runBenchmark(name: string, args: string[]): Promise<boolean> {
  const outcome = await benchmarks[name]?.run(args);
  if (typeof outcome !== 'object') return outcome === true;
  console.log(`\n  ${name}: the load, the service and PostgreSQL share the CPUs ${readAllowedCpus()}, none is pinned to one`);
  const areKept = printOutcome(outcome);
  if (args.includes('--save')) saveResult(name, outcome);
  return areKept;
}

const [name = '', ...args] = process.argv.slice(2);
if (name in benchmarks) {
  process.exitCode = (await runBenchmark(name, args)) ? 0 : 1;
} else {
  for (const [known, { about }] of Object.entries(benchmarks)) console.log(`  ${known.padEnd(11)} ${about}`);
  process.exitCode = name === '' ? 0 : 1;
}
