// The draft that is being edited: saved shortly after the last change, and again when the connection is back.
import { useEffect, useMemo, useState } from 'react';
import { DraftSession, type Snapshot } from './draft-session.ts';
import type { Changes, PortalPage } from './draft-state.ts';

const pauseMs = 300;
const retryMs = 5000;

export type DraftEditor = Snapshot & {
  change: (changes: Changes) => void;
  flush: () => Promise<boolean>;
  resolve: (choice: 'load' | 'keep') => Promise<void>;
  adopt: (page: PortalPage) => void;
};

export function useDraft(programId: string, page: PortalPage): DraftEditor {
  const [session] = useState(() => new DraftSession(programId, page.draft, (next) => setSnapshot(next)));
  const [snapshot, setSnapshot] = useState(session.snapshot);
  const actions = useMemo(
    () => ({
      change: (changes: Changes) => session.change(changes),
      flush: () => session.flush(),
      resolve: (choice: 'load' | 'keep') => session.resolve(choice),
      adopt: (next: PortalPage) => session.adopt(next.draft),
    }),
    [session],
  );
  useSaving(snapshot, actions.flush);
  return { ...snapshot, ...actions };
}

function useSaving({ content, state }: Snapshot, flush: () => Promise<boolean>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change starts the pause again.
  useEffect(() => {
    if (state !== 'waiting') return;
    const timer = setTimeout(() => void flush(), pauseMs);
    return () => clearTimeout(timer);
  }, [content, state, flush]);
  useEffect(() => {
    if (state !== 'offline') return;
    const retry = () => void flush();
    const timer = setInterval(retry, retryMs);
    addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      removeEventListener('online', retry);
    };
  }, [state, flush]);
}
