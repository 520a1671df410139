// What is open in the frame: the account of one affiliate, until its session ends.
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Result } from '../../api/call.ts';
import { type CurrentAccount, toCurrentAccount } from '../session/account.ts';
import type { Look } from './look.ts';

export type Embed = {
  account: CurrentAccount;
  scheme: Look['scheme'];
  /** Shows that the session has ended. */
  end(): void;
  hasEnded(): boolean;
  onEnd(changed: () => void): () => void;
};

/** Only active affiliates have an embed. */
export function createEmbed({ account, look }: Result<'embedSessions.create'>): Embed {
  const { affiliateName, ...found } = account;
  const user = { id: account.affiliateId, email: '', name: affiliateName, locale: 'en' as const, createdAt: '' };
  const session = { id: '', freshAt: '', isOnSite: false };
  let hasEnded = false;
  const listeners = new Set<() => void>();
  return {
    account: { ...toCurrentAccount({ ...found, status: 'active', view: null }, { user, session }), isEmbedded: true },
    scheme: look.scheme,
    end() {
      hasEnded = true;
      for (const changed of listeners) changed();
    },
    hasEnded: () => hasEnded,
    onEnd(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

export const EmbedContext = createContext<Embed | null>(null);

export function useEmbed(): Embed {
  const embed = useContext(EmbedContext);
  if (!embed) throw new Error('useEmbed is used outside of an embedded portal.');
  return embed;
}

export function useHasEnded(): boolean {
  const { onEnd, hasEnded } = useEmbed();
  return useSyncExternalStore(onEnd, hasEnded);
}
