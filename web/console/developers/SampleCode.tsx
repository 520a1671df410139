// The code of a first request, with the address and the program of the reader.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { CodeBlock } from '../../ui/marks/code-block.tsx';
import { clickCode, type Language, languages, orderCode } from './sample-code.ts';

/** Shown as the referral code while the program has no affiliate. */
const placeholder = 'REFERRAL_CODE';

export function SampleCode() {
  const { t } = useTranslation('developers');
  const { id: programId, href, can } = useProgram();
  const [language, setLanguage] = useState<Language>('curl');
  const { data } = useRead('affiliates.list', { path: { programId }, query: { status: ['active'], limit: 1 } });
  const referralCode = data?.affiliates[0]?.referralCode ?? placeholder;
  const service = location.origin;
  const tabs = languages.map((id) => ({ id, label: t(`code.languages.${id}`) }));
  return (
    <Card title={t('code.title')}>
      <Stack gap={16}>
        <Text>{t('code.text')}</Text>
        <Segments label={t('code.language')} tabs={tabs} value={language} onChange={setLanguage} />
        <CodeBlock label={t('code.server')} code={orderCode(language, { service, referralCode })} />
        <CodeBlock label={t('code.website')} code={clickCode({ service, programId })} />
        <Row gap={8}>
          {can('keys.write') ? (
            <ButtonLink href={href('settings/api-keys')} icon="plus">
              {t('code.createKey')}
            </ButtonLink>
          ) : null}
          <ButtonLink href={href('settings/stores')}>{t('code.connectStore')}</ButtonLink>
          <ButtonLink href="/docs/quickstart" kind="quiet">
            {t('code.docs')}
          </ButtonLink>
        </Row>
      </Stack>
    </Card>
  );
}
