// Who signs in with what a provider says. A person is identified by issuer and subject. An email address only decides the
// first time, and only within a domain that the organization has proven: otherwise its provider could sign in as anyone.
import { emailKey } from '../../../platform/lib/email-address.ts';
import { domainOf } from './domains/domain.ts';
import type { Claims } from './provider.ts';

/** Why a person can't sign in: one message each. */
export type Rejection = 'email_unverified' | 'domain_unverified' | 'account_replaced' | 'disabled';

type KnownUser = { id: string; emailKey: string; isActive: boolean };

/** What is known about the person. */
export type Known = {
  /** Verified domains of the organization. */
  domains: readonly string[];
  /** The user who signed in with this subject before. */
  linked: KnownUser | null;
  /** The user with the email address of the claims. */
  withEmail: KnownUser | null;
  /** Whether that user signs in with another subject of this provider. */
  isWithEmailLinked: boolean;
};

export type Decision =
  | { kind: 'linked'; userId: string }
  | { kind: 'link'; userId: string | null; email: string; emailKey: string }
  | { kind: 'rejected'; rejection: Rejection };

/** Decides about a person. `link`: a first sign-in, of an existing user or, without `userId`, of a new one. */
export function decideSignIn({ email, isEmailVerified }: Claims, { domains, linked, withEmail, isWithEmailLinked }: Known): Decision {
  const key = email === null ? null : emailKey(email);
  if (email === null || key === null || !isEmailVerified) return reject('email_unverified');
  if (!domains.includes(domainOf(key))) return reject('domain_unverified');
  if (linked) {
    // Its domain may have been removed since, and then belong to another organization.
    if (!domains.includes(domainOf(linked.emailKey))) return reject('domain_unverified');
    return linked.isActive ? { kind: 'linked', userId: linked.id } : reject('disabled');
  }
  // Providers give an address to another person when someone leaves. The subject is then a different one.
  if (withEmail && isWithEmailLinked) return reject('account_replaced');
  if (withEmail && !withEmail.isActive) return reject('disabled');
  return { kind: 'link', userId: withEmail?.id ?? null, email, emailKey: key };
}

const reject = (rejection: Rejection): Decision => ({ kind: 'rejected', rejection });
