// Requests about where affiliates are paid and how they are taxed, as they would be taken.
type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

export function payoutDetailSamples(serial: number, { affiliate }: { affiliate: string }): Record<string, Sample> {
  const bank = {
    method: 'bank',
    holder: 'Ada Lovelace',
    country: 'DE',
    currency: 'EUR',
    iban: 'DE89 3704 0044 0532 0130 00',
    bic: 'COBADEFFXXX',
  };
  const account = { routingNumber: '021000021', accountNumber: `1234567${serial % 100}`, accountType: 'checking' };
  const domestic = { method: 'bank', holder: 'Ada', country: 'US', currency: 'USD', fields: account };
  const bodies = [bank, domestic, { method: 'paypal', email: `paid${serial}@example.com` }, { method: 'external', account: `a${serial}` }];
  return {
    'payoutDetails.get': [{ id: affiliate }, undefined],
    'payoutDetails.set': [{ id: affiliate }, bodies[serial % bodies.length]],
    'payoutDetails.delete': [{ id: affiliate }, undefined],
  };
}
