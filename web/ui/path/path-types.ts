// What a path shows: nodes in columns, and streams between them whose widths are shares of an amount.
import type { ReactNode } from 'react';

export type PathNode = {
  id: string;
  title: ReactNode;
  /** Lines below the title. */
  detail?: ReactNode;
  /** Why it was not used or earned nothing; shown in the colour of a state, and part of the reading order. */
  reason?: ReactNode;
  /** `unused`: a signal that was not used, or a line that earned nothing. `total`: the amount at the end. */
  kind?: 'used' | 'unused' | 'total';
};

export type PathColumn = { id: string; title: string; nodes: readonly PathNode[] };

export type PathLink = {
  from: string;
  to: string;
  /** What flows; 0 for a link that was not used. */
  cents: number;
  /** `unused` is dashed and ends before its target; `upline` is a thin second stream; `refund` flows back. */
  kind: 'flow' | 'unused' | 'upline' | 'refund';
};

export type PathData = {
  columns: readonly PathColumn[];
  links: readonly PathLink[];
  /** The order's commission: a stream of this amount has full width. */
  totalCents: number;
};
