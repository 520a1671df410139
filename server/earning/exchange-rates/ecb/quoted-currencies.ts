// The currencies of the euro foreign exchange reference rates.
import type { Context } from '../../../context.ts';

const codes = 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR';

/** The euro and the currencies that the European Central Bank quotes. Programs in others can't use its rates. */
export const ecbCurrencies: readonly string[] = codes.split(' ');

/** Programs that use the rates of the European Central Bank although it doesn't quote their currency, by name. */
export async function findUnquotedPrograms({
  db,
  allProgramsDb = db,
}: Pick<Context, 'db' | 'allProgramsDb'>): Promise<{ name: string; currency: string }[]> {
  const programs = allProgramsDb.selectFrom('programs').select(['name', 'currency']).where('exchangeRateSource', '=', 'ecb');
  return programs.where('currency', 'not in', ecbCurrencies).orderBy('name').execute();
}
