// Fetching the reference rates of the European Central Bank for the programs that use them.
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import type { Http } from '../../../platform/lib/http.ts';
import { forEachProgram } from '../../../platform/queue/each-program.ts';
import { job } from '../../../platform/queue/job.ts';
import { storeRates } from '../store-rates.ts';
import { parseReferenceRates, type ReferenceRates, toProgramRates } from './reference-rates.ts';

/** The last 90 days, so that days are caught up on after an outage. */
export const ecbUrl = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml';

/** Several times in the afternoon, because the rates are published at about 16:00 CET; for one program when it chooses them. */
export const fetchEcbRates = job<{ programId?: string }>({
  name: 'exchangeRates.fetchEcb',
  retries: 3,
  cron: '20 6,14,15,16,17,21 * * *',
  async run(ctx, { programId }) {
    let fetched: Promise<ReferenceRates[]> | null = null;
    const read = () => {
      fetched ??= fetchReferenceRates(ctx.http);
      return fetched;
    };
    if (programId !== undefined) return storeOf(ctx, programId, read);
    await forEachProgram(ctx, {
      find: (scope) => sql`
        select program_id from (select id as program_id, exchange_rate_source from programs) as program
        where exchange_rate_source = 'ecb' and ${scope}`,
      run: (id, own) => storeOf(own, id, read),
    });
  },
});

async function fetchReferenceRates(http: Http): Promise<ReferenceRates[]> {
  const { status, body } = await http({ method: 'GET', url: ecbUrl });
  if (status !== 200) throw new Error(`The European Central Bank responded with ${status}.`);
  return parseReferenceRates(body);
}

async function storeOf(ctx: Context, programId: string, read: () => Promise<ReferenceRates[]>): Promise<void> {
  const days = await read();
  await transact(ctx, async (tx) => {
    const programs = tx.db.selectFrom('programs').select(['currency', 'exchangeRateSource']).where('id', '=', programId);
    const program = await programs.executeTakeFirst();
    if (program?.exchangeRateSource !== 'ecb') return;
    const rates = toProgramRates(days, program.currency);
    if (rates.length === 0)
      tx.log.warn({ programId, currency: program.currency }, 'the European Central Bank has no rates of the currency');
    else await storeRates(tx, programId, { rates, source: 'ecb' });
  });
}
