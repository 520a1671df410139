// What an affiliate copies: the text with the placeholders replaced, for an example or a chosen affiliate.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { useSettled } from '../../ui/form/use-settled.ts';
import { AffiliateSelect } from '../affiliates/AffiliateSelect.tsx';
import styles from './resources.module.css';

const pauseMs = 300;

export function TextPreview({ text }: { text: string }) {
  const { t } = useTranslation('resources');
  const { id: programId } = useProgram();
  const [affiliateId, setAffiliateId] = useState<string | null>(null);
  const settled = useSettled(text.trim(), pauseMs);
  const isEmpty = settled === '';
  const { data } = useRead('resources.preview', { path: { programId }, body: { text: settled, affiliateId } }, { enabled: !isEmpty });
  if (isEmpty || data === undefined) return null;
  return (
    <section className={styles.preview} aria-label={t('preview.title')}>
      <AffiliateSelect
        name="previewAffiliate"
        label={t('preview.for')}
        placeholder={t('preview.example')}
        value={affiliateId}
        onChange={setAffiliateId}
        error={undefined}
        current={null}
      />
      <p className={styles.text}>{data.isCouponMissing ? t('preview.couponMissing') : data.text}</p>
    </section>
  );
}
