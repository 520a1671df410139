// The VAT of a self-billing invoice, by where both parties are established. The amount paid includes the VAT: the ledger is
// the same in every case. Pure.
import { Invalid } from '../../platform/lib/errors.ts';
import { divideRounded, toPpm, wholePpm } from '../../platform/lib/money.ts';
import { memberStates } from '../tax/tax-number.ts';
import type { VatCase } from '../tax/vat-case.ts';

/** Whether the country is in the VAT area of the European Union, which for services excludes Northern Ireland. */
export function isInEu(country: string): boolean {
  return country !== 'XI' && memberStates.some((state) => state === country);
}

/** VAT ids begin with the code of the country, except in Greece. */
export function vatIdPrefix(country: string): string {
  return country === 'GR' ? 'EL' : country;
}

/** Throws Invalid for a member state and the VAT id of another country. */
export function requireVatIdOf(country: string, vatId: string): void {
  if (isInEu(country) && !vatId.startsWith(vatIdPrefix(country)))
    throw new Invalid([{ path: ['vatId'], message: `must begin with ${vatIdPrefix(country)}` }]);
}

type Issuer = { country: string; vatRatePercent: number | null };
type Payee = { country: string; isSmallBusiness: boolean };

/** The case, and the rate in percent: 0 in every case but `domestic`. */
export function decideVat(issuer: Issuer, payee: Payee): { vatCase: VatCase; vatRatePercent: number } {
  if (payee.country === issuer.country) {
    if (payee.isSmallBusiness) return { vatCase: 'small_business', vatRatePercent: 0 };
    if (issuer.vatRatePercent !== null) return { vatCase: 'domestic', vatRatePercent: issuer.vatRatePercent };
    return { vatCase: 'outside_eu', vatRatePercent: 0 };
  }
  const vatCase = isInEu(issuer.country) && isInEu(payee.country) ? 'reverse_charge' : 'outside_eu';
  return { vatCase, vatRatePercent: 0 };
}

/** The VAT that an amount includes, rounded half up to the cent. The rest is the net amount. */
export function calculateVat(amountCents: number, vatRatePercent: number): number {
  const ppm = BigInt(toPpm(vatRatePercent));
  return Number(divideRounded(BigInt(amountCents) * ppm, BigInt(wholePpm) + ppm));
}
