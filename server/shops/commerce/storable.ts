// Limits of what an event of a store may name. A value beyond them can never be stored, so the event fails at once
// instead of being tried again.
import { maxCents } from '../../platform/http/declaration/fields.ts';
import { type Act, Unreadable } from './act.ts';

const maxLength = 255;

/** Throws Unreadable for an act with an id that is too long or an amount out of range. Reports have their own schemas. */
export function requireStorable(act: Act): void {
  for (const [field, value] of Object.entries(act)) if (field !== 'report') requireValue(field, value);
}

function requireValue(field: string, value: unknown): void {
  if (typeof value === 'string' && value.length > maxLength)
    throw new Unreadable(`The event was not understood: ${field} must not be longer than ${maxLength} characters.`);
  if (typeof value === 'number' && !(Number.isSafeInteger(value) && Math.abs(value) <= maxCents))
    throw new Unreadable(`The event was not understood: ${field} must be a whole number up to ${maxCents}.`);
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) requireValue(Array.isArray(value) ? field : name, inner);
}
