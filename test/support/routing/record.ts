// Records the statements that the service sends, with the code that sent them, and checks each (check-statement.ts).
import { relative } from 'node:path';
import pg from 'pg';
import { appRole } from '../../../server/platform/db/app-role.ts';
import { type Checked, checkStatement, isOneProgram } from './check-statement.ts';

/** What is wrong with a statement, and the code that sent it. */
export type Found = { file: string; line: string; kind: string; table: string; statement: string };

export type Recording = {
  found: readonly Found[];
  /** How many different statements were sent that refer to a tenant table. */
  count(): number;
  /** Records what is sent from now on. */
  start(tenantTables: ReadonlySet<string>): void;
  stop(): void;
};

type Caller = { file: string; line: string };
type Known = { checked: Checked; caller: Caller; isReported: boolean };
type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** Watches the connections that the service opens from now on. Those of the tests have another role. */
export function recordStatements(): Recording {
  const ofService = new WeakSet<object>();
  const known = new Map<string, Known>();
  const found: Found[] = [];
  let tenantTables: ReadonlySet<string> | null = null;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  const add = (statement: string): Known | null => {
    const caller = findCaller();
    if (!tenantTables || !caller) return null;
    const checked = checkStatement(statement, tenantTables);
    known.set(statement, { checked, caller, isReported: false });
    for (const finding of checked.findings) found.push({ ...caller, ...finding, statement });
    return known.get(statement) ?? null;
  };
  const check = (client: object, { text, values }: { text: string; values: readonly unknown[] }) => {
    const sent = ofService.has(client) ? (known.get(text) ?? add(text)) : null;
    if (sent && !sent.isReported && !isOneProgram(sent.checked, values)) {
      sent.isReported = true;
      found.push({ ...sent.caller, kind: 'several programs', table: '', statement: text });
    }
  };
  prototype.query = function (...args) {
    const statement = toStatement(args);
    if (statement.text === `set role ${appRole}`) ofService.add(this);
    check(this, statement);
    return original.apply(this, args);
  };
  return {
    found,
    count: () => [...known.values()].filter(({ checked }) => checked.references > 0).length,
    start: (tables) => {
      tenantTables = tables;
    },
    stop: () => {
      prototype.query = original;
    },
  };
}

/** `query` takes a text and its values, or an object with both. */
function toStatement([query, given]: readonly unknown[]): { text: string; values: readonly unknown[] } {
  const { text, values } = typeof query === 'string' ? { text: query, values: given } : (query as { text?: string; values?: unknown });
  return { text: text ?? '', values: Array.isArray(values) ? values : [] };
}

/** Code that sends the statements of others. */
const senders = /^server\/platform\/(db|queue|http\/declaration)\//;

/** The code of the service that sends the current statement; null if it is a test. */
function findCaller(): Caller | null {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = stackTraceLimit;
  const callers = [...stack.matchAll(/file:\/\/(\/[^):]+\/server\/[^):]+):(\d+)/g)].map(([, path = '', line = '']) => ({
    file: relative(process.cwd(), path),
    line,
  }));
  return callers.find(({ file }) => !senders.test(file)) ?? null;
}
