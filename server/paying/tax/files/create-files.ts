// The tax files of a year, for the command line and the console. They contain tax numbers and bank accounts.
import { getProgram, type Program } from '../../../accounts/programs/program.ts';
import type { Context } from '../../../context.ts';
import { readDestinations } from '../../payout-details/payout-details.ts';
import { buildDac7Report, type Operator } from '../dac7.ts';
import { build1099, get1099ThresholdCents, type Payer } from '../form-1099.ts';
import type { PaidTotal } from '../paid-totals.ts';
import { hasFormOfKind, readFiling } from '../read-filing.ts';

type Ctx = Pick<Context, 'db' | 'vault' | 'clock' | 'ids'>;

/** `lacking`: affiliates who are missing in the file because they have no valid form. */
type TaxFile = { text: string; count: number; lacking: PaidTotal[]; program: Program };

type Filing1099 = {
  programId: string;
  year: number;
  thresholdCents?: number | undefined;
  payer: Omit<Payer, 'name'> & { name: string | null };
};

/** The rows of Form 1099-NEC. The name of the payer is by default that of the program, which must pay in US dollars. */
export async function create1099(
  ctx: Ctx,
  { programId, year, thresholdCents, payer }: Filing1099,
): Promise<TaxFile & { exemptCount: number }> {
  const program = await getProgram(ctx, programId);
  const { csv, reported, lacking, exempt } = build1099(await readFiling(ctx, programId, year), {
    year,
    thresholdCents: thresholdCents ?? get1099ThresholdCents(year),
    payer: { ...payer, name: payer.name ?? program.name },
  });
  return { text: csv, count: reported, lacking, exemptCount: exempt.length, program };
}

type FilingDac7 = { programId: string; year: number; operator: Omit<Operator, 'name'> & { name: string | null } };

/** The DAC7 report. The name of the operator is by default that of the program. */
export async function createDac7(ctx: Ctx, { programId, year, operator }: FilingDac7): Promise<TaxFile> {
  const program = await getProgram(ctx, programId);
  const { filed, lacking } = await readFiling(ctx, programId, year);
  const sellers = filed.filter(hasFormOfKind('dac7'));
  const ids = sellers.map(({ affiliateId }) => affiliateId);
  const destinations = await readDestinations(ctx, programId, ids);
  const text = buildDac7Report(
    sellers.map((seller) => ({ ...seller, destination: destinations.get(seller.affiliateId) ?? null })),
    {
      year,
      currency: program.currency,
      at: ctx.clock.now(),
      reference: ctx.ids.uuid(),
      isTest: program.mode === 'test',
      operator: { ...operator, name: operator.name ?? program.name },
    },
  );
  return { text, count: sellers.length, lacking, program };
}
