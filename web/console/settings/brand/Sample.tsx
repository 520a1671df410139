// A small preview of an affiliate's page, with the look and the texts that are being edited.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { Card } from '../../../ui/layout/card.tsx';
import styles from './brand.module.css';
import type { BrandValues } from './brand-values.ts';
import { defaultColor } from './ColorInput.tsx';
import { isColor, textColorOn } from './contrast.ts';
import { sourceOf } from './source-of.ts';

export function Sample({ values }: { values: BrandValues }) {
  const { t } = useTranslation('settings');
  const { name } = useProgram();
  const color = isColor(values.color) ? values.color : defaultColor;
  const source = sourceOf(values.logoUrl);
  const disclosure = values.disclosure.trim() === '' ? t('brand.sample.defaultDisclosure') : fill(values.disclosure, name);
  return (
    <Card title={t('brand.sample.title')} detail={t('brand.sample.detail')}>
      <div className={styles.sample}>
        <div className={styles.sampleBrand}>
          {source === null ? null : <img src={source} alt="" />}
          <bdi>{name}</bdi>
        </div>
        <p className={styles.sampleHeadline}>{t('brand.sample.headline')}</p>
        <p className={styles.sampleText}>{disclosure}</p>
        <span className={styles.sampleButton} style={{ background: color, color: textColorOn(color) }}>
          {t('brand.sample.button')}
        </span>
        {values.disclaimer.trim() === '' ? null : <p className={styles.sampleSmall}>{values.disclaimer}</p>}
      </div>
    </Card>
  );
}

/** The names that the disclosure can contain. */
function fill(disclosure: string, program: string): string {
  return disclosure.replaceAll('{affiliate}', 'Ada Lindqvist').replaceAll('{program}', program);
}
