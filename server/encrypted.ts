// TABLE OF CONTENTS: everything that is sealed in the database. A test holds it against the schema.

import { encryptedProviderSecrets } from './connections/providers/encrypted-secrets.ts';
import { sealedPayoutDetails } from './paying/payout-details/encrypted-destination.ts';
import { sealedDestinations } from './paying/payouts/reseal.ts';
import { sealedTaxForms } from './paying/tax/encrypted-form.ts';
import { sealedAnswers } from './platform/http/idempotency/reseal.ts';
import type { SealedColumn } from './platform/secrets/encrypted-columns.ts';
import { encryptedEventPayload } from './shops/inbox/encrypted-payload.ts';

export const sealedColumns: readonly SealedColumn[] = [
  sealedPayoutDetails,
  sealedDestinations,
  sealedTaxForms,
  encryptedProviderSecrets,
  encryptedEventPayload,
  sealedAnswers,
];
