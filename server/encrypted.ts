// TABLE OF CONTENTS: every encrypted column. A test compares it with the schema.

import { encryptedAuthenticatorSecrets } from './accounts/identity/second-factor/encrypted-secret.ts';
import { encryptedClientSecrets } from './accounts/identity/single-sign-on/encrypted-client-secret.ts';
import { encryptedProviderSecrets } from './connections/providers/encrypted-secrets.ts';
import { encryptedChannelAddresses } from './messaging/webhooks/channels/encrypted-address.ts';
import { encryptedWebhookSecrets } from './messaging/webhooks/secrets.ts';
import { encryptedPersons } from './operations/persons/erasing/encrypted-person.ts';
import { encryptedInvoiceDetails } from './paying/invoices/details/encrypted-details.ts';
import { encryptedPayoutDetails } from './paying/payout-details/encrypted-destination.ts';
import { encryptedDestinations } from './paying/payouts/encrypted-destinations.ts';
import { encryptedTaxForms } from './paying/tax/encrypted-form.ts';
import { encryptedResponses } from './platform/http/idempotency/encrypted-responses.ts';
import type { EncryptedColumn } from './platform/secrets/encrypted-columns.ts';
import { encryptedEventPayloads } from './stores/inbox/encrypted-payloads.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedAuthenticatorSecrets,
  encryptedClientSecrets,
  encryptedPayoutDetails,
  encryptedDestinations,
  encryptedTaxForms,
  encryptedInvoiceDetails,
  encryptedProviderSecrets,
  encryptedEventPayloads,
  encryptedResponses,
  encryptedWebhookSecrets,
  encryptedChannelAddresses,
  encryptedPersons,
];
