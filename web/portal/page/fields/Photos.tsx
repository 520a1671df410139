import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import type { Content } from '../draft-state.ts';
import { useEditor } from '../editor-context.ts';
import styles from './fields.module.css';
import { Photo } from './Photo.tsx';

const focuses = ['left', 'center', 'right'] as const satisfies readonly Content['heroFocus'][];

/** The portrait and the large photo, and which part of it stays visible. */
export function PhotosSection() {
  const { t } = useTranslation('portal-page');
  const { content, change } = useEditor();
  return (
    <Card title={t('photo.title')}>
      <Stack gap={24}>
        <Photo name="avatarUrl" shape="round" />
        <Photo name="heroImageUrl" shape="wide" />
        {content.heroImageUrl === null ? null : (
          <div className={styles.focus}>
            <span className={styles.legend}>{t('photo.focus')}</span>
            <Segments
              label={t('photo.focus')}
              value={content.heroFocus}
              onChange={(heroFocus) => change({ heroFocus })}
              tabs={focuses.map((id) => ({ id, label: t(`photo.${id}`) }))}
            />
            <span className={styles.help}>{t('photo.focusHelp')}</span>
          </div>
        )}
      </Stack>
    </Card>
  );
}
