// `npm run bench -- compare`: our redirects compared with those of Kutt, a link shortener, on the same machine in the same run. Kutt
// is not part of this repository: to compare, install and start it, create a link there, and name that link.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openTemporaryDatabase } from '../../scripts/temporary-database.ts';
import { fillClicks, type Load, type Measured, runLoad } from '../clicks-load.ts';
import { codeOf } from '../fill.ts';
import { median, readOption, sendToParent, start, startServer } from '../processes.ts';
import { type Outcome, toFigure } from '../report/outcome.ts';

const affiliates = 10;
const addresses = 100_000;

const howTo = `  No link of Kutt was given. Install Kutt (github.com/thedevs-network/kutt) outside of this checkout and start it:

    export PORT=3000 DEFAULT_DOMAIN=127.0.0.1:3000 JWT_SECRET=$(openssl rand -hex 32)
    export DB_CLIENT=pg DB_HOST=… DB_PORT=… DB_NAME=kutt DB_USER=… DB_PASSWORD=…     (without: SQLite)
    npm ci && npm run migrate && npm start

  Create its first user, sign in, and shorten a link as that user: Kutt doesn't count the visits of anonymous links.

    post() { curl -s -H 'accept: application/json' -H 'content-type: application/json' -H "cookie: token=$TOKEN" \\
      http://127.0.0.1:3000/api/$1 -d "$2"; }
    USER='{"email":"a@example.com","password":"benchmark-1"}'
    post auth/create-admin "$USER" && TOKEN=$(post auth/login "$USER" | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
    post links '{"target":"https://brand.example/","customurl":"bench"}'

  Then name the link:

    npm run bench -- compare --kutt http://127.0.0.1:3000/bench     (or KUTT_LINK=…)
`;

/** Runs the comparison. `--load` is its own child process. */
export async function compareRedirects(args: string[]): Promise<Outcome | boolean> {
  if (args[0] === '--load') return sendToParent(await runLoad(JSON.parse(args[1] ?? '') as Load));
  const link = args.includes('--kutt') ? args[args.indexOf('--kutt') + 1] : process.env.KUTT_LINK;
  if (!link) {
    console.log(howTo);
    return false;
  }
  const { host, port: kuttPort, pathname } = new URL(link);
  const [rounds, seconds] = [readOption(args, '--rounds', 5), readOption(args, '--seconds', 3)];
  const database = await openTemporaryDatabase('bench', { settings: {} });
  const children: ChildProcess[] = [];
  try {
    await fillClicks(database.connection, { programs: 1, affiliates });
    const ours = await startServer(database.connection, children, { TRUSTED_PROXIES: '127.0.0.0/8' });
    // One link of each: visits of one link are counted in one row.
    const measure = async (isKutt: boolean, connections: number, duration: number): Promise<Measured> => {
      const target = isKutt ? { host, port: Number(kuttPort || 80), links: pathname } : { port: ours, links: `/r/${codeOf(1)}` };
      const load: Load = { ...target, connections, seconds: duration, addresses };
      return start<Measured>(['bench/main.ts', 'compare', '--load', JSON.stringify(load)], []);
    };
    for (const isKutt of [true, false]) await measure(isKutt, 64, 2);
    const outcome: Outcome = { figures: [], checks: [] };
    for (const connections of [1, 8, 64]) {
      const pairs: { ours: Measured; kutt: Measured }[] = [];
      for (let round = 0; round < rounds; round += 1)
        pairs.push({ kutt: await measure(true, connections, seconds), ours: await measure(false, connections, seconds) });
      outcome.figures.push(toPairFigure(connections, pairs));
      const others = pairs.reduce((sum, pair) => sum + pair.kutt.others + pair.ours.others, 0);
      outcome.checks.push({ text: `${connections} connections: ${others} answers that are no redirects`, isKept: others === 0 });
    }
    return outcome;
  } finally {
    for (const child of children) if (child.kill('SIGTERM')) await once(child, 'exit');
    await database.close();
  }
}

function toPairFigure(connections: number, pairs: readonly { ours: Measured; kutt: Measured }[]) {
  const middle = (pick: (pair: { ours: Measured; kutt: Measured }) => number) => median(pairs.map(pick));
  const more = {
    'ours a second': middle(({ ours }) => ours.perSecond),
    'Kutt a second': middle(({ kutt }) => kutt.perSecond),
    'our p99 ms': middle(({ ours }) => ours.p99Ms),
    'its p99 ms': middle(({ kutt }) => kutt.p99Ms),
  };
  return toFigure(
    `redirects ${connections}`,
    pairs.map(({ ours, kutt }) => ours.perSecond / kutt.perSecond),
    { unit: 'times Kutt', more },
  );
}
