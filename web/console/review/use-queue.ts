// The queue of the inbox: what awaits a decision, which item is open, and what follows a decision.
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { type Read, useInvalidate, useRead } from '../../api/queries.ts';
import { announce } from '../../ui/overlay/announcements.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useSearchState } from '../search-state.ts';
import { useProgram } from '../session/program.ts';
import { type RawSearch, readOne, readText } from '../url-state.ts';

export const reviewKinds = ['application', 'page', 'fraud_alert', 'claim'] as const;
export type ReviewKind = (typeof reviewKinds)[number];
export type Item = Result<'review.list'>['items'][number];

/** Reads that a decision changes. */
const affectedReads = [
  'review.list',
  'review.counts',
  'landingPages.list',
  'landingPages.revisions',
  'landingPages.revision',
  'affiliates.get',
  'affiliateTable.list',
  'overview.get',
] as const;

type Decided = { text: string; undo?: () => Promise<unknown> };

export type Queue = {
  read: Read<'review.list'>;
  kind: ReviewKind | null;
  setKind: (kind: ReviewKind | null) => void;
  items: readonly Item[];
  total: number;
  /** The open item and its position, from 0. */
  item: Item | undefined;
  index: number;
  open: (item: Item | undefined) => void;
  /** How many decisions were made or undone. */
  decisions: number;
  /** Removes the item, opens the next one, and offers to undo the decision for a minute. */
  finish: (item: Item, decided: Decided) => void;
};

export type DetailsProps = { item: Item; finish: Queue['finish'] };

const refreshMs = 30_000;
const undoMs = 55_000;

function readState(raw: RawSearch) {
  return { kind: readOne(raw, 'kind', reviewKinds) ?? null, itemId: readText(raw, 'item') ?? null };
}

/** An item that is decided and returns later, such as a page that was written again, is another one. */
const keyOf = ({ kind, id, since }: Item) => `${kind}:${id}:${since}`;

export function useQueue(): Queue {
  const { id: programId } = useProgram();
  const [{ kind, itemId }, changeUrl] = useSearchState(readState);
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [decisions, setDecisions] = useState(0);
  const query = { kind: kind === null ? undefined : [kind], limit: 100 };
  const read = useRead('review.list', { path: { programId }, query }, { refreshMs });
  const items = useMemo(() => (read.data?.items ?? []).filter((item) => !decided.has(keyOf(item))), [read.data, decided]);
  const index = Math.max(
    0,
    items.findIndex(({ id }) => id === itemId),
  );
  const open = useCallback((item: Item | undefined) => changeUrl({ item: item?.id ?? null }, { isTyping: true }), [changeUrl]);
  const hidden = (read.data?.items.length ?? 0) - items.length;
  const total = (read.data?.total ?? 0) - hidden;
  return {
    read,
    kind,
    setKind: (next) => changeUrl({ kind: next, item: null }),
    items,
    total,
    item: items[index],
    index,
    open,
    decisions,
    finish: useFinish({
      items,
      total,
      open,
      setDecided: (change) => {
        setDecided(change);
        setDecisions((count) => count + 1);
      },
    }),
  };
}

type Parts = Pick<Queue, 'items' | 'total' | 'open'> & { setDecided: (change: (keys: ReadonlySet<string>) => ReadonlySet<string>) => void };

function useFinish({ items, total, setDecided, open }: Parts): Queue['finish'] {
  const { t } = useTranslation('review');
  const invalidate = useInvalidate();
  return (item, { text, undo }) => {
    const rest = items.filter((each) => each !== item);
    const position = Math.min(items.indexOf(item), rest.length - 1);
    const next = rest[position];
    setDecided((keys) => new Set([...keys, keyOf(item)]));
    open(next);
    invalidate(affectedReads);
    const values = next && { title: next.title, kind: t(`kind.${next.kind}`), position: position + 1, total: total - 1 };
    announce(values ? t('announce.next', values) : t('announce.done'));
    const restore = async () => {
      await undo?.();
      setDecided((keys) => new Set([...keys].filter((key) => key !== keyOf(item))));
      open(item);
      invalidate(affectedReads);
      showToast(t('undone', { title: item.title }), { icon: 'undo' });
    };
    const onUndo = () => void restore().catch((error: Error) => showToast(error.message, { tone: 'error' }));
    showToast(text, undo ? { tone: 'success', onUndo, undoUntil: Date.now() + undoMs } : { tone: 'success' });
  };
}
