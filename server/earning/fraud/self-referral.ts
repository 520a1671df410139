// The check for self-referral, wherever an order or lead gets an affiliate: reports, batches, stores, claims, moves, leads.
import { type Buyer, type Earner, matchBuyer } from '../customers/buyer.ts';
import type { DetectedFraud, FraudSettings } from './detect.ts';

type Settings = { hashKey: Uint8Array; fraud: FraudSettings };

/** The alert about an order whose buyer is the affiliate or their upline; none if neither is, or if the check is off. */
export function findSelfReferral(buyer: Buyer, earner: Earner, { hashKey, fraud }: Settings): DetectedFraud[] {
  const buyerIs = matchBuyer(buyer, earner, hashKey);
  if (buyerIs === null || fraud.selfReferral === 'off') return [];
  return [{ kind: 'self_referral', action: fraud.selfReferral, evidence: { buyerIs } }];
}
