// The countries of an address, a bank or a customer, named in the language of the page.
import { useMemo } from 'react';
import { type Language, useFigures } from '../figures/context.ts';

const codes =
  'AD AE AF AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU ' +
  'CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR ' +
  'HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH ' +
  'MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO ' +
  'RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA ' +
  'VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';

type Country = { value: string; label: string };

/** The countries by name, in the order of the language. */
export function useCountries(): readonly Country[] {
  const { language } = useFigures();
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    const options = codes.split(' ').map((value) => ({ value, label: names.of(value) ?? value }));
    return options.sort((a, b) => a.label.localeCompare(b.label, language));
  }, [language]);
}

/** The name of a country by its code, or the code if it has none. */
export function nameOfCountry(code: string, language: Language): string {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
}
