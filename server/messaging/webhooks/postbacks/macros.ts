// Macros in the URL of a postback, such as {sub1}: the known names, where they are allowed, and how they are replaced (pure).
// They are for what the portal shows the affiliate anyway: no buyer, no order number, nothing of another affiliate.

/** Each macro with the value that tests and previews use. */
export const macros = {
  event: 'commission.created',
  event_id: '01980c02-7d10-7e55-8a1b-90c3f2d4e6a8',
  timestamp: '1795165200',
  datetime: '2026-11-20T09:00:00.000Z',
  conversion_id: '01980a54-1c22-7b6e-8d3f-5e9a7b1c2d3e',
  commission_id: '01980a53-8e11-7b52-9c4d-1a2b3c4d5e6f',
  status: 'pending',
  amount: '12.50',
  amount_cents: '1250',
  currency: 'USD',
  click_id: '01980a53-9d10-7a44-b0c6-1f2e3d4c5b6a',
  sub1: 'newsletter',
  sub2: 'spring',
  sub3: 'banner-2',
  sub4: '',
  sub5: '',
  link_name: 'Newsletter',
  coupon_code: 'ADA15',
} as const;

export type MacroName = keyof typeof macros;
export type MacroValues = Record<MacroName, string>;
export const macroNames = Object.keys(macros) as MacroName[];

const maxLength = 2048;
/** Keeps the longest possible URL within what servers accept. */
const maxMacros = 30;
const macro = /\{([^{}]*)\}/g;
/** Scheme, host and port are written out, up to the path or query. A user name or a backslash has no place in them. */
const written = /^https?:\/\/[^\s/?#\\{}@]+(?=[/?]|$)/i;
const forbidden = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff\\]/;

/** Why a URL can't be that of a postback, as a predicate: "must …". Null for one that can. */
export function findTemplateFault(template: string): string | null {
  if (template.length > maxLength) return `must not be longer than ${maxLength} characters`;
  if (!template.isWellFormed() || forbidden.test(template)) return 'must not contain spaces, control characters or backslashes';
  if (!written.test(template)) return 'must begin with https:// and a host; macros are only allowed in the path and the query';
  if (template.includes('#')) return 'must not contain a fragment (#), which is never sent';
  const names = [...template.matchAll(macro)].map(([, name = '']) => name);
  const unknown = [...new Set(names.filter((name) => !Object.hasOwn(macros, name)))];
  if (unknown.length > 0) return `must not contain unknown macros: ${unknown.map((name) => `{${name.slice(0, 40)}}`).join(', ')}`;
  if (/[{}]/.test(template.replaceAll(macro, ''))) return 'must not contain { or } except around a macro';
  if (names.length > maxMacros) return `must not contain more than ${maxMacros} macros`;
  return URL.canParse(expand(template, macros)) ? null : 'must be an https URL';
}

/** The URL with the values of its macros, percent-encoded: a value can't end its place in the path or query. */
export function expand(template: string, values: MacroValues): string {
  const query = template.indexOf('?');
  const at = query === -1 ? template.length : query;
  return replace(template.slice(0, at), values, encodeSegment) + replace(template.slice(at), values, encode);
}

function replace(text: string, values: MacroValues, toText: (value: string) => string): string {
  return text.replaceAll(macro, (whole, name: string) => (Object.hasOwn(values, name) ? toText(values[name as MacroName]) : whole));
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Only dots would be read as a step up in the path, even percent-encoded. */
function encodeSegment(value: string): string {
  return /^\.+$/.test(value) ? '' : encode(value);
}

/** The host of a postback: what the program and the audit log see of its URL, whose path and query can contain tokens. */
export function hostOf(template: string): string {
  return URL.parse(expand(template, macros))?.host ?? '';
}
