// TABLE OF CONTENTS: everything that is sealed in the database. A test holds it against the schema.

import { encryptedProviderSecrets } from './connections/providers/encrypted-secrets.ts';
import { encryptedPayoutDetails } from './paying/payout-details/encrypted-destination.ts';
import { sealedDestinations } from './paying/payouts/reseal.ts';
import { encryptedTaxForms } from './paying/tax/encrypted-form.ts';
import { sealedAnswers } from './platform/http/idempotency/reseal.ts';
import type { SealedColumn } from './platform/secrets/encrypted-columns.ts';
import { sealedEvents } from './shops/inbox/reseal.ts';

export const sealedColumns: readonly SealedColumn[] = [
  encryptedPayoutDetails,
  sealedDestinations,
  encryptedTaxForms,
  encryptedProviderSecrets,
  sealedEvents,
  sealedAnswers,
];
