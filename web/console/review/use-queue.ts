// The queue of the inbox: what awaits a decision, which item is open, and what follows a decision.
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { type Read, useInvalidate, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { announce } from '../../ui/overlay/announcements.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { type RawSearch, readOne, readText } from '../../url/url-state.ts';
import { type Item, kindOf } from './kind-of.ts';

export const reviewKinds = ['application', 'page', 'fraud_alert', 'claim', 'bounty_submission'] as const;
export type ReviewKind = (typeof reviewKinds)[number];

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
  /** Reads the items that follow; null if all are in the list. */
  loadMore: (() => void) | null;
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

const pageSize = 100;
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
  const query = { kind: kind === null ? undefined : [kind], limit: pageSize };
  const read = useRead('review.list', { path: { programId }, query }, { refreshMs });
  const later = useLaterItems(kind);
  const loaded = useMemo(() => mergeItems(read.data?.items ?? [], later.items), [read.data, later.items]);
  const items = useMemo(() => loaded.filter((item) => !decided.has(keyOf(item))), [loaded, decided]);
  const index = Math.max(
    0,
    items.findIndex(({ id }) => id === itemId),
  );
  const open = useCallback((item: Item | undefined) => changeUrl({ item: item?.id ?? null }, { isTyping: true }), [changeUrl]);
  const hidden = (read.data?.items ?? []).filter((item) => decided.has(keyOf(item))).length;
  const total = (read.data?.total ?? 0) - hidden;
  return {
    read,
    kind,
    setKind: (next) => changeUrl({ kind: next, item: null }),
    items,
    total,
    loadMore: items.length < total ? () => later.load(items.length) : null,
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

/** Items after the first ones, which are not refreshed: deciding on one that was decided in the meantime says so. */
function useLaterItems(kind: ReviewKind | null) {
  const { id: programId } = useProgram();
  const [loaded, setLoaded] = useState<{ kind: ReviewKind | null; items: readonly Item[] }>({ kind, items: [] });
  const items = loaded.kind === kind ? loaded.items : none;
  const load = async (offset: number) => {
    const query = { kind: kind === null ? undefined : [kind], limit: pageSize, offset };
    const next = await call('review.list', { path: { programId }, query });
    setLoaded({ kind, items: mergeItems(items, next.items) });
  };
  const onError = (error: Error) => showToast(error.message, { tone: 'error' });
  return { items, load: (offset: number) => void load(offset).catch(onError) };
}

const none: readonly Item[] = [];

/** The second items after the first ones, each once. */
function mergeItems(first: readonly Item[], second: readonly Item[]): readonly Item[] {
  const known = new Set(first.map(keyOf));
  return [...first, ...second.filter((item) => !known.has(keyOf(item)))];
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
    const values = next && { title: next.title, kind: t(`kind.${kindOf(next)}`), position: position + 1, total: total - 1 };
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
