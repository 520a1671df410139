// The currencies of the euro foreign exchange reference rates.

const codes =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR';

/** The euro and the currencies that the European Central Bank quotes. Programs in others can't use its rates. */
export const ecbCurrencies: readonly string[] = codes.split(' ');
