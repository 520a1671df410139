// The server's messages about fields, by the text of the catalogue (`ui:fault`) that says the same in a form. Pure.

const patterns = {
  ibanOfCountry: /^must (begin with the code of a country that uses IBANs|have \d+ characters in this country)$/,
  iban: /^must be an IBAN\b/,
  checkDigits: /^(has wrong check digits|must be a routing number\b)/,
  bic: /^must be a BIC\b/,
  letterCount: /^must have (?<min>\d+) to (?<max>\d+) (letters and digits|digits)$/,
  accountId: /^must be the id of (a connected account|a Wise recipient)\b/,
  taxNumber: /^must be (a social security number|an employer identification number|a US tax number)\b/,
  usState: /^must be a two-letter state code$/,
  zip: /^must be a ZIP code\b/,
  giin: /^must be a GIIN\b/,
  vatId: /^must be a VAT identification number\b/,
  vatIdCountry: /^must begin with (?<prefix>[A-Z0-9]{1,2})$/,
  numberPrefix: /^must be up to 12 capital letters and digits\b/,
  missing: /^(is required(?! with selected)|must not be empty|must be a string|must have a text|must be a language in which)\b/,
  email: /^must be an email address$/,
  tooLong: /^must not be longer than (?<max>\d+) (characters|bytes)$/,
  oneLine: /^must be one line\b/,
  placeholder: /^must not contain the placeholder (?<unknown>\S+); possible are (?<known>.+)$/,
  brackets: /^must not contain < or >$/,
  decimals: /^must (not have more than|be a number with up to) 4 decimals$/,
  percent: /^must be between 0 and (?<max>\d+) \(percent\)$/,
  belowMinimum: /^must not be less than minPerOrderCents$/,
  budget: /^must be sent together with budget\w*$/,
  reset: /^must be sent together with budgetPeriod$/,
  refundRest: /^must not exceed the amount (that|of this line that) is not refunded yet\b/,
  refundQuantity: /^must not exceed the quantity of this line that is not refunded yet \((?<max>\d+)\)$/,
  itemSum: /^must (equal|not exceed) the sum of the items\b/,
  remaining: /^must not deduct more than \d+, the remaining amount\b/,
  amountDue: /^must equal the (amount due|unpaid commissions)\b/,
  amountRange: /^must (not exceed|not be below|be between) -?\d+( and \d+)?( cents)?$/,
  amount: /^must be an integer amount in cents\b/,
  number: /^must be an? (whole number|integer|number|int|finite number)( of hours)?$/,
  range: /^must be (a whole number from|between) (?<min>\d+) (to|and) (?<max>\d+)$/,
  atLeast: /^must be at least (?<min>\d+)$/,
  atMost: /^must be at most (?<max>\d+)$/,
  negative: /^must not be negative$/,
  zero: /^must not be 0$/,
  tooMany: /^must not have more than (?<max>\d+) \w+( in total)?$/,
  tooFewOptions: /^must have at least (one|two) options?$/,
  repeated: /^(must not contain an option twice|must not repeat a key|is the same as in line \d+)$/,
  https: /^must be (an https URL$|the https address of the issuer\b)/,
  url: /^must be an (http or https URL$|origin such as\b)/,
  address: /^must (be at a public address|have a host name that can be resolved|use port)\b/,
  domain: /^must be a (domain|host name) such as\b/,
  slug: /^must be \d to 64 (lowercase )?letters\b.*hyphens$/,
  reserved: /^is a reserved word$/,
  code: /^must be 2 to 64 letters A–Z, numbers, - and _$/,
  country: /^must be a two-letter (ISO 3166 )?country code\b/,
  currency: /^must be an ISO 4217 code\b/,
  timezone: /^must be an IANA time zone\b/,
  date: /^must be (a date|an RFC 3339 time|a month|a year)\b/,
  future: /^must not be in the future$/,
  past: /^must be in the future(, and within a year)?$/,
  order: /^must be (later than|after)\b/,
  color: /^must be a color\b/,
  image: /^must be (a JPEG|Base64)\b/,
  tooLarge: /^must not be larger than (?<size>.+)$/,
  choice: /^must be (one of:|checking or savings$|a name of letters and digits$)/,
  notFound: /^(`\w+` )?was not found in this program\b/,
  taken: /^(is|was) already used\b/,
  ownUpline: /^must not be (the affiliate itself|in this affiliate's own downline)$/,
  notTogether: /^(must not|can't) be sent together with\b/,
  notAllowed: /^is (only|not) allowed (when|with)\b/,
  digits: /^must have (?<length>\d+) digits$/,
  length: /^must have (?<min>\d+) to (?<max>\d+) characters$/,
  characters: /^must (not contain control characters|not contain NUL|be well-formed Unicode)$/,
  organization: /^must be an organization in which\b/,
  password: /^must not contain a user name or password$/,
  fragment: /^must not contain a fragment\b/,
  spaces: /^must not contain spaces, control characters or backslashes$/,
  macros: /^must not contain (unknown macros:|\{ or \} except|more than \d+ macros)/,
  macroHost: /^must begin with https:\/\/ and a host\b/,
  events: /^must (be an event type|not have more entries than)\b/,
  ownCode: /^must be your referral code$/,
  noWebsite: /^must be empty: this program has no website yet$/,
  hostedImage: /^must be an uploaded image\b/,
  network: /^must be an IP address\b/,
  columns: /^must not have two columns named\b/,
  row: /^must not have a row of more than (?<max>\d+) characters$/,
  csv: /^must be (CSV|UTF-8)\b/,
  ownGroup: /^must not be the group itself$/,
  questionOptions: /^must be options of the question$/,
  unique: /^must be unique in the form$/,
  orderSum: /^must (add up to more than 0|not exceed -?\d+ in total\b)/,
  orderLines: /^must not exceed (?<max>\d+) more lines for this order$/,
  orderMost: /^must not exceed -?\d+ for this order$/,
  sameTiers: /^must all have the same metric and period$/,
  letters: /^must have at least three letters$/,
  stale: /^must be the (version of the draft that was read|number of a revision)$/,
  selection: /^is required with selected rows\b/,
  days: /^must be (less than|at most) (?<max>\d+) days\b/,
} satisfies Record<string, RegExp>;

export type FaultKey = keyof typeof patterns | 'aboveZero' | 'other';

/** Words that only callers of the API know: field names, code, cents, formats. */
export const apiWords = /`|\b[a-z]+[A-Z]|\w_\w|\bcents\b|\bkeyed hash\b|\bUUID\b|\bJSON\b|\bISO \d|\bRFC\b|\bbase64\w*\b|\bnull\b/;

/** Bounds of numbers. Those of amounts are in the smallest unit of the currency, not in the one that people type. */
const bounds: readonly FaultKey[] = ['range', 'atLeast', 'atMost'];

/** The text that explains a message about a field, or null if the message itself can be shown. */
export function explainFault(message: string, field = ''): { key: FaultKey; values: Record<string, string> } | null {
  for (const [name, pattern] of Object.entries(patterns)) {
    const match = pattern.exec(message);
    if (!match) continue;
    const key = name as FaultKey;
    const values = Object.fromEntries(Object.entries(match.groups ?? {}));
    if (!field.endsWith('Cents') || !bounds.includes(key)) return { key, values };
    return { key: key === 'atLeast' && values.min === '1' ? 'aboveZero' : 'amountRange', values: {} };
  }
  return apiWords.test(message) ? { key: 'other', values: {} } : null;
}
