// Which tax form is on file, until when it is valid, and whether payouts depend on it. Its contents are never shown.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../../api/call.ts';
import { useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Loaded } from '../../../../states/loaded.tsx';
import { useFigures } from '../../../../ui/figures/context.ts';
import { DateTime } from '../../../../ui/figures/date-time.tsx';
import { nameOfCountry } from '../../../../ui/form/countries.ts';
import { Card, Facts } from '../../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../../ui/layout/stack.tsx';
import { Status } from '../../../../ui/marks/status.tsx';
import { SkeletonText } from '../../../../ui/states/skeleton.tsx';

type TaxForm = Result<'taxForms.get'>;

export function TaxFormCard({ affiliateId }: { affiliateId: string }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const read = useRead('taxForms.get', { path: { programId, id: affiliateId } });
  return (
    <Card title={t('taxForm.title')}>
      <Stack gap={16}>
        <Loaded read={read} what={t('taxForm.what')} skeleton={<SkeletonText lines={3} />}>
          {(form) => <Content form={form} />}
        </Loaded>
        <Requirement />
      </Stack>
    </Card>
  );
}

function Content({ form }: { form: TaxForm }) {
  const { t } = useTranslation('affiliate');
  const { language } = useFigures();
  const { kind, country, signedAt, expiresAt } = form;
  if (kind === null) return <Facts rows={[{ label: t('taxForm.status'), value: <TaxFormStatus form={form} /> }]} />;
  const countryName = country === null ? '–' : nameOfCountry(country, language);
  return (
    <Facts
      columns={2}
      rows={[
        { label: t('taxForm.status'), value: <TaxFormStatus form={form} /> },
        { label: t('taxForm.form'), value: t(`taxForm.kind.${kind}`) },
        { label: t('taxForm.country'), value: countryName },
        { label: t('taxForm.signed'), value: signedAt === null ? '–' : <DateTime value={signedAt} as="date" /> },
        { label: t('taxForm.expires'), value: expiresAt === null ? t('taxForm.never') : <DateTime value={expiresAt} as="date" /> },
      ]}
    />
  );
}

function TaxFormStatus({ form: { kind, isValid } }: { form: TaxForm }) {
  const { t } = useTranslation('affiliate');
  if (isValid)
    return (
      <Status tone="approved" icon="check">
        {t('taxForm.valid')}
      </Status>
    );
  return (
    <Status tone={kind === null ? 'neutral' : 'held'} icon={kind === null ? 'clock' : 'warning'}>
      {t(kind === null ? 'taxForm.missing' : 'taxForm.expired')}
    </Status>
  );
}

/** Whether the program pays only affiliates with a valid form. */
function Requirement() {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const { data } = useRead('programs.get', { path: { programId } });
  if (!data) return null;
  return <Text size="small">{t(data.taxForms === 'required' ? 'taxForm.required' : 'taxForm.notRequired')}</Text>;
}
