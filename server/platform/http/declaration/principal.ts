// Who sends a request: an API key, a user, or a user as a member of a program. Their functions are passed to the server
// by main.ts, because keys and users belong to `accounts`, which is built on this folder.
import type { Context, Tx } from '../../../context.ts';
import type { Permission } from './permissions.ts';

export const roles = ['owner', 'admin', 'finance', 'reviewer', 'developer', 'viewer'] as const;

/** What a user may do in a program. `accounts/identity/roles.ts` lists the permissions of each role. */
export type Role = (typeof roles)[number];

/** An API key of a program (Contract §5 rule 4). */
export type KeyPrincipal = {
  kind: 'api_key';
  id: string;
  programId: string;
  /** ISO 4217. Every amount of the program is in this currency. */
  currency: string;
  scopes: readonly string[];
  /** Requests per minute for this key; null for the installation's limit. */
  rateLimitPerMinute: number | null;
};

/** A signed-in user, independent of a program. `id` is the user's. */
export type UserPrincipal = {
  kind: 'user';
  id: string;
  sessionId: string;
  /** When the user last proved their identity. Sensitive operations require it to be recent. */
  freshAt: Date;
  /** When a passkey, the authenticator app or a recovery code was last used in this session; null if none was. */
  secondFactorAt: Date | null;
  /** Signed in with a link of the command line, which the operator of the installation gave them. */
  isFromCommand: boolean;
  /** The program on whose custom domain the session was started: it admits to the portal of this program only. Otherwise null. */
  siteProgramId: string | null;
};

/** A signed-in user as a member of the program that the request names. */
export type MemberPrincipal = UserPrincipal & {
  programId: string;
  currency: string;
  role: Role;
  permissions: ReadonlySet<Permission>;
  /** From when the member counts as the second person of an approval; null if they do already. */
  approvesFrom: Date | null;
};

/** A signed-in user as an affiliate of the program that the request names, or a member who views the portal as that affiliate. */
export type AffiliatePrincipal = UserPrincipal & {
  programId: string;
  currency: string;
  affiliateId: string;
  /** `AffiliateStatus` of partners/affiliates. */
  affiliateStatus: string;
};

/** A portal of an affiliate that is open inside the application of the brand. It only reads. `id` is the embed's. */
export type EmbedPrincipal = Pick<AffiliatePrincipal, 'programId' | 'currency' | 'affiliateId' | 'affiliateStatus'> & {
  kind: 'embed';
  id: string;
};

/** Who reads as an affiliate: the affiliate, a member who views the portal as them, or an embedded portal. */
export type AffiliateReader = AffiliatePrincipal | EmbedPrincipal;

/** The caller of a request in a program. */
export type Principal = KeyPrincipal | MemberPrincipal;

/** The caller of a request with a session. */
export type SignedInPrincipal = UserPrincipal | MemberPrincipal | AffiliatePrincipal;

/** Whether a signed-in user calls as a member of a program. */
export function isMember(user: SignedInPrincipal): user is MemberPrincipal {
  return 'role' in user;
}

/** How callers are identified. */
export type Identification = {
  /** The API key in an Authorization header; null unless it is valid. */
  findKey(ctx: Context, authorization: string): Promise<KeyPrincipal | null>;
  /** The user of a session token; null unless the session is active. `visitorId`: the visitor that the browser is known as. */
  findUser(ctx: Context, token: string, visitorId: string | null): Promise<UserPrincipal | null>;
  /** The user as a member of a program; null for a program of others, or one that does not exist. */
  findMember(ctx: Context, user: UserPrincipal, programId: string): Promise<MemberPrincipal | null>;
  /** The user as an affiliate of a program; null if the user is none there. */
  findAffiliate(ctx: Context, user: UserPrincipal, programId: string): Promise<AffiliatePrincipal | null>;
  /** The affiliate as whom a member's session views the portal of a program; null without an active view. */
  findViewedAffiliate(ctx: Context, user: UserPrincipal, programId: string): Promise<AffiliatePrincipal | null>;
  /** The embedded portal whose session an Authorization header has; null unless it is active. */
  findEmbed(ctx: Context, authorization: string): Promise<EmbedPrincipal | null>;
  /**
   * The sessions among these that are still active, each with the current permissions of its user. They can't end, and
   * roles can't change, before the transaction does. Requests that manage members of one program take turns.
   */
  lockSessions(
    tx: Tx,
    users: readonly SignedInPrincipal[],
    required: readonly Permission[],
  ): Promise<ReadonlyMap<string, ReadonlySet<Permission>>>;
  /** Whether the user has a passkey or a confirmed authenticator app. */
  hasSecondFactor(ctx: Context, user: UserPrincipal): Promise<boolean>;
  /** From when the second factor of a member counts for money; null if it does already. */
  findPaymentWait(ctx: Context, member: MemberPrincipal): Promise<Date | null>;
  /** The roles that include one of these permissions, and the names of members who can grant it. */
  explainPermission(
    ctx: Pick<Context, 'db'>,
    programId: string,
    permissions: readonly Permission[],
  ): Promise<{ roles: Role[]; members: string[] }>;
};
