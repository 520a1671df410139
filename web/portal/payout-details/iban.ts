// The countries whose bank accounts are named by an IBAN.

/** Where accounts have an IBAN. British accounts are paid by sort code. */
const ibanCodes = new Set(
  (
    'AD AE AL AT AZ BA BE BG BH BI BR BY CH CR CY CZ DE DJ DK DO EE EG ES FI FK FO FR GE GI GL GR GT HN HR HU IE IL IQ IS IT JO KW KZ ' +
    'LB LC LI LT LU LV LY MC MD ME MK MN MR MT MU NI NL NO OM PK PL PS PT QA RO RS RU SA SC SD SE SI SK SM SO ST SV TL TN TR UA VA VG ' +
    'XK YE'
  ).split(' '),
);

/** Whether accounts of this country are named by an IBAN. */
export function hasIban(country: string): boolean {
  return ibanCodes.has(country);
}
