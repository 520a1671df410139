// What a screen declares about its table, and the state that it keeps in the URL and in the user's preferences.
import { createContext, type ReactNode } from 'react';
import type { Option } from '../form/select.tsx';
import type { TableExport } from './export/export-context.ts';

export type DataTableProps<Row> = {
  /** What the rows are, in the plural: "Affiliates". */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while the first page loads. */
  rows: readonly Row[] | undefined;
  /** Exact, always. */
  total: number | undefined;
  /** Where the next page starts; undefined for lists without cursors. */
  nextCursor?: string | null | undefined;
  rowId: (row: Row) => string;
  /** The name of a row, for its checkbox, and for its link where the first column is not the name. */
  rowName: (row: Row) => string;
  /** Where the first column links to; clicking the row goes there too unless `onOpen` opens a sheet. Null: nowhere. */
  rowHref: (row: Row) => string | null;
  onOpen?: (row: Row) => void;
  view: TableView;
  onViewChange: (view: TableView) => void;
  filters?: readonly FilterDefinition[];
  searchLabel?: string;
  layout?: TableLayout;
  onLayoutChange?: (layout: TableLayout) => void;
  selection?: Selection;
  onSelectionChange?: (selection: Selection) => void;
  /** Whether everything that matches can be selected, beyond the page; by default it can. */
  canSelectAllMatching?: boolean;
  /** Buttons for the selected rows. */
  bulkActions?: ReactNode;
  /** What the selected rows add up to. */
  bulkSummary?: ReactNode;
  /** A row on a phone: name and state, then amount and date. See `<PhoneRow>`. */
  phoneRow: (row: Row) => ReactNode;
  /** The list whose rows can be exported from the toolbar. */
  exports?: TableExport | undefined;
  /** Right of the toolbar: CSV and similar. */
  toolbarActions?: ReactNode;
  /** Shown when nothing exists yet. */
  empty?: ReactNode;
  /** Takes the place of the rows, for example when they couldn't be loaded. */
  problem?: ReactNode;
  /** Other rows are on their way; the present ones are dimmed after 300 ms. */
  isRefreshing?: boolean;
};

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** In pixels, until the user resizes the column. */
  width: number;
  /** Figures are aligned right. */
  align?: 'start' | 'end';
  /** The field that the API sorts by; without it, the header is not a button. */
  sort?: string;
  /** The direction of the first click; figures and dates usually start with the largest. */
  sortFirst?: 'ascending' | 'descending';
  isHiddenAtFirst?: boolean;
  /** The first column usually names the row; if it doesn't, the row's link also has the name, for screen readers. */
  isNameless?: boolean;
  /** What happens to the column where the table is too narrow for all of them; without it, the column keeps its place. */
  narrow?: Narrow<Row>;
};

/** A column that gives up its place in a narrow table: it moves below another one, or is left out. */
export type Narrow<Row> = {
  /** Columns with a lower rank go first. */
  rank: number;
  /** The id of the column below which it is shown from then on. */
  below?: string;
  /** What is shown there; by default, the same as in its own column. Null where there is nothing to say. */
  cell?: (row: Row) => ReactNode;
  /** The least width of the other column, in pixels. */
  width?: number;
};

/** A column as it is shown: with others below it. */
export type FittedColumn<Row> = { column: Column<Row>; width: number; below: readonly Column<Row>[] };

export type FilterDefinition =
  | { id: string; label: string; kind: 'options'; options: readonly Option[]; canExclude?: boolean; isSingle?: boolean }
  | { id: string; label: string; kind: 'amount'; currency: string }
  | { id: string; label: string; kind: 'number'; unit?: '%' }
  | { id: string; label: string; kind: 'days' };

/** Ends of a range are text, as in the URL: cents, a number, or a day. */
export type FilterValue =
  | { kind: 'options'; operator: 'is' | 'isNot'; values: readonly string[] }
  | { kind: 'range'; from: string | null; to: string | null };

export type Filters = Readonly<Record<string, FilterValue>>;

/** What the URL holds. */
export type TableView = {
  search: string;
  filters: Filters;
  /** As the API has it: `name`, or `-name` for descending. */
  sort: string | null;
  /** Starts at 0. */
  page: number;
  pageSize: number;
  /** Where the page starts, if the API doesn't skip that many rows. */
  cursor: string | null;
};

/** What the user's preferences hold. Columns that are not named keep their place and width. */
export type TableLayout = {
  order: readonly string[];
  hidden: readonly string[] | null;
  widths: Readonly<Record<string, number>>;
};

export const defaultLayout: TableLayout = { order: [], hidden: null, widths: {} };

export const pageSizes = [25, 50, 100, 200] as const;

/** A selection: rows by id, or everything that matches the filters. */
export type Selection = { ids: readonly string[]; isAllMatching: boolean };

export const noSelection: Selection = { ids: [], isAllMatching: false };

/** How high the rows are: one choice for all tables. */
export type Density = 'comfortable' | 'compact';

type Choice = { density: Density; setDensity: ((density: Density) => void) | null };

/** Provided by the app, which stores the choice with the user. Without a provider, rows are comfortable and there is nothing to choose. */
export const DensityContext = createContext<Choice>({ density: 'comfortable', setDensity: null });
