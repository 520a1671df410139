// TABLE OF CONTENTS: everything that is sealed in the database. A test holds it against the schema.
import type { SealedColumn } from './db/sealed-columns.ts';
import { sealedAnswers } from './http/idempotency/reseal.ts';
import { sealedEvents } from './inbox/reseal.ts';
import { sealedPayoutDetails } from './payout-details/reseal.ts';
import { sealedDestinations } from './payouts/reseal.ts';
import { sealedProviderSecrets } from './providers/reseal.ts';
import { sealedTaxForms } from './tax/reseal.ts';

export const sealedColumns: readonly SealedColumn[] = [
  sealedPayoutDetails,
  sealedDestinations,
  sealedTaxForms,
  sealedProviderSecrets,
  sealedEvents,
  sealedAnswers,
];
