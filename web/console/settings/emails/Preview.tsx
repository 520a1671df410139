// One email: its headers, and what it looks like in both schemes and languages, on a phone, and as text.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from './emails.module.css';
import type { EmailId, EmailPreview, EmailText, Locale } from './preview-types.ts';

type Form = 'light' | 'dark' | 'text';
type Width = 'desktop' | 'phone';

type Props = {
  email: EmailId;
  locale: Locale;
  onLocale: (locale: Locale) => void;
  /** A text that is not saved yet. */
  draft?: EmailText | null;
  /** Changes with the settings, so that the frame is loaded again. */
  version: string;
  remark?: string;
};

export function Preview({ email, locale, onLocale, draft = null, version, remark }: Props) {
  const { t } = useTranslation('emails');
  const { id: programId } = useProgram();
  const [form, setForm] = useState<Form>('light');
  const [width, setWidth] = useState<Width>('desktop');
  const query = draft === null ? { email, locale } : { email, locale, ...draft };
  const read = useRead('emailPreview.get', { path: { programId }, query });
  const options = <Id extends string>(ids: readonly Id[], label: (id: Id) => string) => ids.map((id) => ({ id, label: label(id) }));
  return (
    <Card title={remark === undefined ? t('preview.title') : t(`email.${email}`)}>
      <Stack gap={16}>
        {remark === undefined ? null : <Text tone="ink-2">{remark}</Text>}
        <Loaded read={read} what={t('preview.what')} skeleton={<SkeletonText lines={3} />}>
          {(preview) => <Headers preview={preview} />}
        </Loaded>
        <Row gap={12}>
          <Segments
            label={t('preview.form')}
            tabs={options(['light', 'dark', 'text'] as const, (id) => t(`preview.${id}`))}
            value={form}
            onChange={setForm}
          />
          <Segments
            label={t('preview.language')}
            tabs={options(['en', 'de'] as const, (id) => t(`preview.${id}`))}
            value={locale}
            onChange={onLocale}
          />
          {form === 'text' ? null : (
            <Segments
              label={t('preview.width')}
              tabs={options(['desktop', 'phone'] as const, (id) => t(`preview.${id}`))}
              value={width}
              onChange={setWidth}
            />
          )}
        </Row>
        {form === 'text' ? (
          <pre className={styles.plain}>{read.data?.text}</pre>
        ) : (
          <div className={styles.stage} data-scheme={form}>
            <iframe
              key={version}
              className={styles.frame}
              data-width={width}
              title={read.data?.subject ?? t(`email.${email}`)}
              src={`/app/programs/${programId}/email-preview/page?${new URLSearchParams({ ...query, scheme: form })}`}
              sandbox=""
              referrerPolicy="no-referrer"
            />
          </div>
        )}
      </Stack>
    </Card>
  );
}

function Headers({ preview: { from, replyTo, subject, delivery } }: { preview: EmailPreview }) {
  const { t } = useTranslation('emails');
  const rows = [
    { label: t('header.subject'), value: subject },
    { label: t('header.from'), value: `${from.name} <${from.address}>`.trim() },
    ...(replyTo ? [{ label: t('header.replyTo'), value: replyTo.address }] : []),
    { label: t('header.delivery'), value: t(`delivery.${delivery}`) },
  ];
  return <Facts rows={rows} />;
}
