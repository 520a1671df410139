// An amount that is paid in another currency, with the rate of the conversion.
import { useFigures } from './context.ts';
import { formatDay } from './dates.ts';
import { Money } from './money.tsx';

type Exchange = { currency: string; amountCents: number; rate: string; quotedOn: string };

/** "€92.23 (1 EUR = 1.0842 USD, 2 Nov)". `currency` is the one that the rate is in. */
export function Converted({ exchange, currency }: { exchange: Exchange; currency: string }) {
  const { language, now } = useFigures();
  const { amountCents, rate, quotedOn } = exchange;
  const shownRate = language === 'de' ? rate.replace('.', ',') : rate;
  return (
    <>
      <Money cents={amountCents} currency={exchange.currency} />{' '}
      {`(1 ${exchange.currency} = ${shownRate} ${currency}, ${formatDay(quotedOn, language, now)})`}
    </>
  );
}
