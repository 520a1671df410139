// How tables export their rows. The app provides it; without it, tables have no export.
import { createContext } from 'react';
import type { Input } from '../../../api/call.ts';

type Body = NonNullable<Input<'exports.create'>['body']>;

/** What a table shows: a list that can be exported, and the query of the page that is shown. */
export type TableExport = { list: Body['list']; query: object };
export type ExportRequest = TableExport & { rows: Body['rows']; ids: readonly string[] };

type Exports = { start: (request: ExportRequest) => void; openList: () => void };

export const ExportContext = createContext<Exports | null>(null);
