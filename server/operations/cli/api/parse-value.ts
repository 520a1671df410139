// Values of options, as the API expects them in a query or a body.
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Field } from './field.ts';

/** Null, which an option can't have as its value. */
export const nullValue = Symbol('null');

/** The value of an option; `previous` holds those of a list that is given in parts. Throws InvalidArgumentError. */
export function parseValue(field: Field, text: string, previous: unknown): unknown {
  if (field.isNullable && text === 'null') return nullValue;
  if (field.kind === 'list')
    return [...(Array.isArray(previous) ? previous : []), ...text.split(',').map((part) => pick(field, part.trim()))];
  if (field.kind === 'integer' || field.kind === 'number') return parseNumber(field.kind, text);
  if (field.kind === 'json') return parseJson(readFileArgument(text));
  return pick(field, text.startsWith('@') && isLong(field) ? readFileArgument(text) : text);
}

/** Texts of any length, such as a CSV file, can be read from a file. */
function isLong({ name }: Field): boolean {
  return name === 'csv';
}

function pick({ choices }: Field, text: string): string {
  if (choices.length > 0 && !choices.includes(text)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  return text;
}

function parseNumber(kind: 'integer' | 'number', text: string): number {
  const pattern = kind === 'integer' ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/;
  if (!pattern.test(text)) throw new InvalidArgumentError(`It must be ${kind === 'integer' ? 'a whole number' : 'a number'}.`);
  return Number(text);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`It must be JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

/** `@file` means the contents of a file. */
function readFileArgument(text: string): string {
  return text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
}
