// The address of the page. Whether it is available is checked while typing; submitting decides.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { useEditor } from '../editor-context.ts';
import styles from './fields.module.css';

const pauseMs = 400;

export function AddressSection() {
  const { t } = useTranslation('portal-page');
  const { programId, page, content, change, errors } = useEditor();
  const slug = usePaused(content.slug.trim());
  const isSettled = slug === content.slug.trim();
  const read = useRead('portalPage.slugCheck', { path: { programId }, query: { slug } }, { enabled: slug !== '' });
  const check = isSettled && !read.isPlaceholderData ? read.data : undefined;
  const problem = check?.isAvailable === false ? t(check.reason === 'taken' ? 'address.taken' : 'address.invalid') : undefined;
  const suggestion = check?.suggestion ?? null;
  return (
    <Card title={t('address.title')}>
      <Stack gap={12}>
        <TextInput
          name="slug"
          label={t('address.label')}
          value={content.slug}
          maxLength={64}
          isMono
          onChange={(text) => change({ slug: text.toLowerCase() })}
          help={check?.isAvailable ? t('address.available') : t('address.help')}
          error={errors.slug ?? problem}
        />
        {suggestion === null ? null : (
          <div>
            <Button size="small" onClick={() => change({ slug: suggestion })}>
              {t('address.use', { slug: suggestion })}
            </Button>
          </div>
        )}
        <p className={styles.address}>
          {page.urlPrefix}
          <strong>{content.slug}</strong>
        </p>
      </Stack>
    </Card>
  );
}

/** The value once it has not changed for a moment. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
