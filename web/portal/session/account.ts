// The program that is open in the portal, and the user's affiliate account in it.
import { createContext, useContext } from 'react';
import type { Me } from '../../session/me.ts';

type Found = Me['affiliateAccounts'][number];

export type AccountStatus = Found['status'];

export type CurrentAccount = Found & {
  user: Me['user'];
  /** On the custom domain of the program, where a session can't change how the user signs in. */
  isOnSite: boolean;
  /** In a page of the program: it only reads, and everything else opens in a new tab. */
  isEmbedded?: true;
  /** The address of a screen of this program: `href('links')`. */
  href: (path?: string) => string;
};

export const AccountContext = createContext<CurrentAccount | null>(null);

/** The affiliate account that is open. For components below the shell. */
export function useAccount(): CurrentAccount {
  const account = useContext(AccountContext);
  if (!account) throw new Error('useAccount is used outside of an affiliate account.');
  return account;
}

/** Adds what components ask an account. */
export function toCurrentAccount(account: Found, { user, session }: Pick<Me, 'user' | 'session'>): CurrentAccount {
  return {
    ...account,
    user,
    isOnSite: session.isOnSite,
    href: (path = '') => `/portal/${account.programId}${path === '' || path.startsWith('/') || path.startsWith('?') ? path : `/${path}`}`,
  };
}
