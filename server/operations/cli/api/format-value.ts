// Values of the API as people read them: amounts with their currency, times in UTC, words instead of camel case.
import { formatCents } from '../../../platform/lib/currency.ts';
import type { Cell } from '../terminal/table.ts';
import type { Style } from '../terminal/terminal.ts';
import { toSafeText } from '../terminal/width.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** `currency` is that of amounts in the same object. */
export function formatValue(name: string, value: unknown, currency: string | null): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'number') return formatNumber(name, value, currency);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return time.test(value) ? value.slice(0, 16).replace('T', ' ') : toSafeText(value);
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((each) => formatValue('', each, currency)).join(', ');
  return toSafeText(JSON.stringify(value));
}

function formatNumber(name: string, value: number, currency: string | null): string {
  if (name.endsWith('Cents') && currency !== null && Number.isSafeInteger(value)) return formatCents(value, currency);
  return Math.abs(value) >= 10_000 ? value.toLocaleString('en') : String(value);
}

/** `commissionCents` → "Commission", `affiliateId` → "Affiliate ID", `createdAt` → "Created" */
export function toLabel(name: string): string {
  const words = name.replace(/(?<=.)(Cents|At|On)$/, '').replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  const sentence = words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
  return sentence.replace(/\b(id|url|api|qr|ip|csv)\b/gi, (word) => word.toUpperCase());
}

export function isTime(value: unknown): boolean {
  return typeof value === 'string' && time.test(value);
}

const statusStyles: readonly [Style, readonly string[]][] = [
  ['green', ['active', 'approved', 'paid', 'succeeded', 'credited', 'confirmed', 'won', 'resolved', 'delivered', 'completed', 'live']],
  ['yellow', ['pending', 'held', 'queued', 'processing', 'awaiting_approval', 'unknown', 'retrying', 'open', 'draft', 'test']],
  ['red', ['failed', 'rejected', 'reversed', 'returned', 'suspended', 'lost', 'disabled', 'cancelled']],
];

/** A state stands out by its color, which adds nothing to its text. */
export function toCell(name: string, value: unknown, currency: string | null): Cell {
  const text = formatValue(name, value, currency);
  const style = /status$/i.test(name) ? statusStyles.find(([, values]) => values.includes(text))?.[0] : undefined;
  if (style) return { text, style };
  return text === '-' ? { text, style: 'dim' } : { text };
}
