// One resource: a text to copy, or an image or file to download.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Badge } from '../../ui/marks/tag.tsx';
import { useAccount } from '../session/account.ts';
import { useCopy } from '../share/use-share.ts';
import styles from './resources.module.css';

export type Library = Result<'portal.resources'>;
type Resource = Library['resources'][number];

export function ResourceCard({ resource }: { resource: Resource }) {
  const { title, description, kind, language } = resource;
  const { i18n } = useTranslation('portal-resources');
  const names = new Intl.DisplayNames(i18n.language, { type: 'language', fallback: 'code' });
  return (
    <Card title={<bdi>{title}</bdi>} actions={language === null ? undefined : <Badge>{names.of(language) ?? language}</Badge>}>
      <Stack gap={12}>
        {description === null ? null : <Text>{description}</Text>}
        {kind === 'text' ? <TextToCopy resource={resource} /> : <FileToSave resource={resource} />}
      </Stack>
    </Card>
  );
}

function TextToCopy({ resource: { title, text, isCouponMissing, language } }: { resource: Resource }) {
  const { t } = useTranslation('portal-resources');
  const copy = useCopy();
  if (text === null) return isCouponMissing ? <Text>{t('couponMissing')}</Text> : null;
  return (
    <>
      <p className={styles.text} lang={language ?? undefined}>
        {text}
      </p>
      <div className={styles.buttons}>
        <Button
          kind="primary"
          icon={copy.isDone ? 'check' : 'copy'}
          onClick={() => void copy.start(text)}
          aria-label={copy.isDone ? undefined : t('copyLabel', { title })}
        >
          {t(copy.isDone ? 'copied' : 'copy')}
        </Button>
        {'share' in navigator ? (
          // Closing the share sheet is a decision, not a failure.
          <Button icon="send" onClick={() => void navigator.share({ text }).catch(() => {})}>
            {t('share')}
          </Button>
        ) : null}
      </div>
    </>
  );
}

function FileToSave({ resource: { id, title, kind, file } }: { resource: Resource }) {
  const { t } = useTranslation('portal-resources');
  const { programId } = useAccount();
  if (file === null) return null;
  const address = (format: 'file' | 'preview') => `/app/portal/${programId}/resources/${id}/file?format=${format}`;
  return (
    <>
      {kind === 'image' ? <img className={styles.image} src={address('preview')} alt={title} loading="lazy" /> : null}
      <Facts file={file} />
      <div className={styles.buttons}>
        <ButtonLink kind="primary" href={address('file')} icon="download" isDownload>
          {t('download')}
        </ButtonLink>
      </div>
    </>
  );
}

const megabyte = 1_000_000;

function Facts({ file: { name, sizeBytes, width, height } }: { file: NonNullable<Resource['file']> }) {
  const { i18n } = useTranslation('portal-resources');
  const isLarge = sizeBytes >= megabyte;
  const unit = isLarge ? 'megabyte' : 'kilobyte';
  const format = new Intl.NumberFormat(i18n.language, { style: 'unit', unit, maximumFractionDigits: isLarge ? 1 : 0 });
  const size = format.format(isLarge ? sizeBytes / megabyte : Math.max(1, sizeBytes / 1000));
  const shape = width === null ? [] : [`${width} × ${height}`];
  return (
    <Text size="small" tone="ink-3">
      {[name, ...shape, size].join(' · ')}
    </Text>
  );
}
