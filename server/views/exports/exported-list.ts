// A list that can be exported. Its columns are the fields that the list returns, so that a file has what the table shows.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { type AnyEndpoint, requiredPermissions } from '../../platform/http/declaration/endpoint.ts';
import type { Permission } from '../../platform/http/declaration/permissions.ts';
import { csvHeader, csvRows } from '../../platform/http/load/long-response.ts';

/** The program whose rows are read. */
export type Reader = { programId: string; currency: string };

/** `after`: the position of the last row that was read; null at the start. */
export type Slice = { query: Record<string, unknown>; after: string | null; limit: number };
/** `next`: the position to continue at; null at the end. */
export type Found = { rows: Row[]; next: string | null };
export type Row = Record<string, unknown>;

export type ExportedList = {
  name: string;
  list: AnyEndpoint;
  /** The member of the response that has the rows. */
  noun: string;
  permissions: readonly Permission[];
  columns: readonly Column[];
  /** Reads all that match where the list has no cursor. */
  readAll: ((ctx: Context, reader: Reader, slice: Slice) => Promise<Found>) | null;
};

type Column = { name: string; path: readonly string[] };

type Declaration = {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: lists have different queries and results.
  list: any;
  /** Needed in addition to what the list requires. */
  requires?: Permission;
  readAll?: NonNullable<ExportedList['readAll']>;
};

/** Declares the export of a list. */
export function exportedList({ name, list, requires, readAll }: Declaration): ExportedList {
  const endpoint: AnyEndpoint = list;
  const { noun, row } = findRows(endpoint.result);
  const permissions = requires ? [...requiredPermissions(endpoint), requires] : requiredPermissions(endpoint);
  return { name, list: endpoint, noun, permissions, columns: findColumns(row), readAll: readAll ?? null };
}

/** The fields of a row, and the currency of its amounts if they have none. */
function findColumns(row: z.ZodType): Column[] {
  const columns = columnsOf(row, []).filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index);
  const needsCurrency = columns.some(({ name }) => name.endsWith('Cents')) && !columns.some(({ name }) => name === 'currency');
  return needsCurrency ? [...columns, { name: 'currency', path: ['currency'] }] : columns;
}

function findRows(result: z.ZodType): { noun: string; row: z.ZodType } {
  const fields = result instanceof z.ZodObject ? Object.entries(result.shape) : [];
  for (const [noun, field] of fields) if (field instanceof z.ZodArray) return { noun, row: field.element as z.ZodType };
  throw new Error('A list returns an array of rows.');
}

/** The fields of an object, and those of objects within it: `affiliate.name` becomes `affiliateName`. */
function columnsOf(schema: z.ZodType, path: readonly string[]): Column[] {
  const shape = unwrap(schema);
  if (!(shape instanceof z.ZodObject)) return [{ name: toName(path), path }];
  return Object.entries(shape.shape).flatMap(([key, field]) => columnsOf(field as z.ZodType, [...path, key]));
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

function toName([first = '', ...others]: readonly string[]): string {
  return [first, ...others.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))].join('');
}

/** The first line of the file. */
export function writeHeader({ columns }: ExportedList): string {
  return csvHeader(columns.map(({ name }) => name));
}

/** Rows as lines of the file. */
export function writeRows({ columns }: ExportedList, rows: readonly Row[], { currency }: Reader): string {
  const toCells = (row: Row) => Object.fromEntries(columns.map(({ name, path }) => [name, toCell(valueAt(row, path))]));
  const names = columns.map(({ name }) => name);
  return csvRows(
    names,
    rows.map((row) => toCells(Object.assign({ currency }, row))),
  );
}

function valueAt(row: Row, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Row)[key] : undefined), row);
}

/** Text and numbers as they are, several texts with semicolons between them, anything else as JSON. */
function toCell(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('; ');
  return JSON.stringify(value);
}
