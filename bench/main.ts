// `npm run bench -- NAME`: what speed is promised, shown as a ratio to a limit measured in the same run.
// Exits 1 when a promise is missed.
import { benchBackup } from './backup.ts';
import { benchClicks } from './clicks.ts';
import { benchClicksGrowth } from './clicks-growth.ts';
import { benchOverview } from './console/overview.ts';
import { benchConversions } from './conversions.ts';
import { benchList } from './list.ts';
import { benchPayouts } from './payouts/payouts.ts';
import { benchRequests } from './requests/requests.ts';
import { benchScale } from './scale/scale.ts';
import { benchStorefront } from './storefronts/largest-paint.ts';
import { benchTable } from './table.ts';
import { benchVerify } from './verify.ts';
import { benchWebhooks } from './webhooks/latency.ts';

const benchmarks: Record<string, { about: string; run: (args: string[]) => Promise<boolean> }> = {
  backup: { about: 'a backup of 1,000,000 conversions, and its restore (--rows N for fewer)', run: benchBackup },
  clicks: { about: 'durable clicks a second, beside bare redirects (--rounds N, --seconds N)', run: benchClicks },
  growth: { about: 'what a click costs with 10,000 and 2,000,000 clicks stored (--rows N, --seconds N)', run: benchClicksGrowth },
  conversions: { about: 'orders credited a second, beside pgbench writing the same rows (--rounds N, --seconds N)', run: benchConversions },
  payouts: { about: '10,000 payouts over a rail, beside what it takes at all, and other calls meanwhile (--items N)', run: benchPayouts },
  requests: { about: 'what requests of the API cost, beside bare JSON (--rounds N, --seconds N)', run: benchRequests },
  overview: { about: 'the console’s overview over 5,000,000 clicks and 300,000 orders (--clicks N for fewer)', run: benchOverview },
  scale: { about: 'every list and report over 1,000,000 orders and 5,000,000 clicks (--orders N, --clicks N for fewer)', run: benchScale },
  storefront: { about: 'the largest contentful paint of public pages, beside the same bytes sent bare (--rounds N)', run: benchStorefront },
  verify: { about: 'every invariant over 1,000,000 conversions (--rows N for fewer)', run: benchVerify },
  table: { about: 'the console’s table of affiliates, as list (--rows N for fewer)', run: benchTable },
  webhooks: {
    about: 'the API while webhooks are delivered, beside the same without (--rounds N, --seconds N, --rate N)',
    run: benchWebhooks,
  },
  list: { about: 'the list of affiliates, 1,000,000 in one program beside 1,000 small ones (--rows N for fewer)', run: benchList },
};

const [name = '', ...args] = process.argv.slice(2);
const benchmark = benchmarks[name];
if (benchmark) {
  process.exitCode = (await benchmark.run(args)) ? 0 : 1;
} else {
  for (const [known, { about }] of Object.entries(benchmarks)) console.log(`  ${known.padEnd(10)} ${about}`);
  process.exitCode = name === '' ? 0 : 1;
}
