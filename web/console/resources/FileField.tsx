// Choosing the image or file of a resource.
import { type ChangeEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button.tsx';
import type { FieldProps } from '../../ui/form/fields.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import styles from './resources.module.css';

const accepted = {
  image: 'image/jpeg,image/png,image/webp,image/avif',
  file: '.pdf,.zip,.docx,.xlsx,.pptx,.csv,.txt,.mp4',
} as const;

type Props = Pick<FieldProps<File | null>, 'value' | 'onChange' | 'error' | 'label'> & {
  kind: 'image' | 'file';
  /** The name of the stored file. */
  stored: string | null;
};

export function FileField({ label, value, onChange, error, kind, stored }: Props) {
  const { t } = useTranslation('resources');
  const input = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? [];
    if (file) onChange(file);
    // The same file can be chosen again.
    event.currentTarget.value = '';
  };
  const name = value?.name ?? stored;
  return (
    <div className={styles.file} data-field="file">
      <span className={styles.label}>{label}</span>
      <div className={styles.fileRow}>
        <Button icon="upload" onClick={() => input.current?.click()}>
          {t(name === null ? 'file.choose' : 'file.replace')}
        </Button>
        {name === null ? null : <bdi className={styles.fileName}>{name}</bdi>}
      </div>
      <Text size="small" tone="ink-3">
        {t(`file.${kind}Help`)}
      </Text>
      {error === undefined ? null : (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <input ref={input} type="file" accept={accepted[kind]} hidden aria-label={label?.toString()} onChange={choose} />
    </div>
  );
}
