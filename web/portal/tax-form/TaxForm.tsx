// The tax form on file: which one, until when it is valid, and a form to submit another. Its contents are never shown.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { nameOfCountry } from '../../ui/form/countries.ts';
import { Card, Facts } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';

// The forms are large, and most visits submit none.
const EditSheet = lazy(async () => ({ default: (await import('./EditSheet.tsx')).EditSheet }));

type TaxForm = Result<'portal.taxForm'>;

export function Screen() {
  const { t } = useTranslation('portal-tax-form');
  const { programId, programName } = useAccount();
  const read = useRead('portal.taxForm', { path: { programId } });
  return (
    <Page title={t('title')} lede={t('lede', { program: programName })} width="reading">
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={5} />
          </Card>
        }
      >
        {(form) => <Content form={form} />}
      </Loaded>
    </Page>
  );
}

function Content({ form }: { form: TaxForm }) {
  const { t } = useTranslation('portal-tax-form');
  const { programName } = useAccount();
  const [isEditing, setIsEditing] = useState(false);
  const { kind, isRequired, isValid } = form;
  const edit = (
    <Button kind={isRequired && !isValid ? 'primary' : 'secondary'} onClick={() => setIsEditing(true)}>
      {t(kind === null ? 'submit' : 'replace')}
    </Button>
  );
  return (
    <>
      {kind === null ? (
        <Card>
          <EmptyState
            title={t(isRequired ? 'missing.title' : 'notRequired.title')}
            text={t(isRequired ? 'missing.text' : 'notRequired.text', { program: programName })}
            actions={edit}
            sample="links"
          />
        </Card>
      ) : (
        <Current form={form} kind={kind} actions={edit} />
      )}
      <Card title={t('safety.title')}>
        <Stack gap={8}>
          <Text>{t('safety.hidden', { program: programName })}</Text>
          <Text>{t('safety.email')}</Text>
        </Stack>
      </Card>
      {isEditing ? (
        <Suspense fallback={null}>
          <EditSheet onClose={() => setIsEditing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

type CurrentProps = { form: TaxForm; kind: NonNullable<TaxForm['kind']>; actions: ReactNode };

function Current({ form: { country, signedAt, expiresAt, isValid, isRequired }, kind, actions }: CurrentProps) {
  const { t } = useTranslation('portal-tax-form');
  const { language } = useFigures();
  const countryName = country === null ? '' : nameOfCountry(country, language);
  return (
    <>
      {isValid ? null : (
        <Notice icon="warning" tone="error" title={t('expired.title')}>
          {t(isRequired ? 'expired.required' : 'expired.text')}
        </Notice>
      )}
      <Card title={t('current.title')} actions={actions}>
        <Facts
          rows={[
            { label: t('current.kind'), value: t(`kind.${kind}.name`) },
            { label: t('current.country'), value: countryName },
            { label: t('current.signed'), value: signedAt === null ? '' : <DateTime value={signedAt} as="date" /> },
            {
              label: t('current.expires'),
              value: expiresAt === null ? t('current.never') : <DateTime value={expiresAt} as="date" />,
            },
          ]}
        />
      </Card>
    </>
  );
}
