import type { Identification } from '../../platform/http/declaration/principal.ts';
import { findKey } from '../programs/api-key.ts';
import { findAffiliate } from './affiliate-accounts/find-affiliate.ts';
import { findViewedAffiliate } from './affiliate-views/affiliate-view.ts';
import { findEmbed } from './embeds/find-embed.ts';
import { explainPermission } from './members/explain-permission.ts';
import { findMember, lockSessions } from './members/find-member.ts';
import { findPaymentWait } from './second-factor/find-payment-wait.ts';
import { hasSecondFactor } from './second-factor/has-second-factor.ts';
import { findUser } from './sessions/session.ts';

/** How the server identifies callers: API keys, users by their session, and members and affiliates of a program. */
export const identification: Identification = {
  findKey,
  findUser,
  findMember,
  findAffiliate,
  findViewedAffiliate,
  findEmbed,
  lockSessions,
  explainPermission,
  hasSecondFactor,
  findPaymentWait,
};
