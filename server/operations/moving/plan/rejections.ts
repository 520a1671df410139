// Collects why records are not taken, and how many of each kind are.
import type { PastRecord, RecordKind, Rejection } from '../records.ts';

/** Records by outcome: new here, imported before, not taken. */
export type Count = { taken: number; existed: number; rejected: number };
export type Counts = Record<RecordKind, Count>;

type Collector = {
  reject(record: PastRecord, column: string, reason: string): null;
  /** Reports a part of a record that is taken without it. */
  remark(record: PastRecord, column: string, reason: string): void;
  count(kind: RecordKind, outcome: 'taken' | 'existed'): void;
};

export type Outcomes = Collector & { rejections: Rejection[]; counts: Counts };

export function createOutcomes(): Outcomes {
  const none = (): Count => ({ taken: 0, existed: 0, rejected: 0 });
  const counts: Counts = { affiliate: none(), link: none(), customer: none(), order: none(), commission: none(), payout: none() };
  const rejections: Rejection[] = [];
  const reported = new Set<string>();
  const remark: Collector['remark'] = ({ file, row }, column, reason) => {
    // A row can describe several records; the first reason explains the others.
    const place = `${file} ${row}`;
    if (!reported.has(place)) rejections.push({ file, row, column, reason });
    reported.add(place);
  };
  return {
    rejections,
    counts,
    reject(record, column, reason) {
      counts[record.kind].rejected += 1;
      remark(record, column, reason);
      return null;
    },
    remark,
    count(kind, outcome) {
      counts[kind][outcome] += 1;
    },
  };
}

/** Names the place of an earlier record, for a repeated one. */
export function describePlace({ file, row }: { file: string; row: number }): string {
  return `row ${row} of ${file}`;
}
