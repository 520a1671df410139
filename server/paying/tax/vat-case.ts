import { z } from 'zod';

/** Why an invoice has VAT, or none. */
export const VatCase = z
  .enum(['domestic', 'small_business', 'reverse_charge', 'outside_eu'])
  .describe(
    '`domestic`: the amount includes VAT. `small_business`: the affiliate charges no VAT. `reverse_charge`: an affiliate in another ' +
      'member state of the European Union; the program owes the VAT. `outside_eu`: one of both is outside of the European Union; ' +
      'no VAT is charged.',
  )
  .meta({ id: 'VatCase' });
export type VatCase = z.infer<typeof VatCase>;
