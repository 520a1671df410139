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
  const signed = { signatureName: 'Ada Lovelace', isCertified: true, signedAt: '2026-02-01T00:00:00Z' };
  const home = { street: '1 Main Street', city: 'Springfield' };
  const w9 = {
    kind: 'w9',
    name: 'Ada',
    classification: 'llc',
    ein: `12-345678${serial % 10}`,
    address: { ...home, state: 'IL', postalCode: '62701' },
  };
  const abroad = { name: 'Ada', country: 'DE', address: { ...home, country: 'DE' }, foreignTin: `f${serial}` };
  const w8 = { kind: 'w8ben', ...abroad, birthDate: '1980-12-31', treaty: { country: 'DE', rate: 10 } };
  const eu = {
    sellerType: 'individual',
    firstName: 'Ada',
    lastName: 'L',
    birthDate: '1980-12-31',
    tin: `t${serial}`,
    tinCountry: 'DE',
    vatId: 'DE123456789',
  };
  const forms = [w9, w8, { kind: 'w8bene', ...abroad, entityType: 'corporation' }, { kind: 'dac7', ...eu, address: abroad.address }];
  return {
    'taxFiles.create1099': [{}, { year: 2025 + (serial % 2), payerTin: '12-3456789' }],
    'taxFiles.createDac7': [{}, { year: 2025, operatorCountry: 'DE', operatorTin: '12/345/67890' }],
    'taxForms.get': [{ id: affiliate }, undefined],
    'taxForms.submit': [{ id: affiliate }, { ...forms[serial % forms.length], ...signed }],
    'payoutDetails.get': [{ id: affiliate }, undefined],
    'payoutDetails.set': [{ id: affiliate }, bodies[serial % bodies.length]],
    'payoutDetails.update': [{ id: affiliate }, { payoutCurrency: null }],
    'payoutDetails.delete': [{ id: affiliate }, undefined],
  };
}
