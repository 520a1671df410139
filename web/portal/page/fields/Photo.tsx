// One photo: chosen from the camera roll or a file, uploaded with its progress, replaced or removed.
import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { uploadImage, uploadProblemOf } from '../../../api/upload.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useEditor } from '../editor-context.ts';
import { small } from './Design.tsx';
import { ChangeNote } from './FieldHelp.tsx';
import styles from './fields.module.css';

const accepted = 'image/jpeg,image/png,image/webp,image/avif';

type Props = { name: 'avatarUrl' | 'heroImageUrl'; shape: 'round' | 'wide' };

export function Photo({ name, shape }: Props) {
  const { t } = useTranslation('portal-page');
  const { programId, content, change, errors } = useEditor();
  const input = useRef<HTMLInputElement>(null);
  const { progress, problem, upload } = useUpload(programId, (url) => change({ [name]: url }));
  const url = content[name];
  const isUploading = progress !== null;
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? [];
    if (file) void upload(file);
    // The same file can be chosen again.
    event.currentTarget.value = '';
  };
  return (
    <div className={styles.photo} data-shape={shape} data-field={name}>
      <div className={styles.photoFrame} data-focus={content.heroFocus}>
        {url === null ? (
          <Icon name={shape === 'round' ? 'members' : 'image'} size={28} />
        ) : (
          <img src={small(url, shape === 'round' ? 256 : 512)} alt="" />
        )}
      </div>
      <div className={styles.photoBody}>
        <span className={styles.legend}>{t(`photo.${name}`)}</span>
        <span className={styles.help}>{t(`photo.${name}Help`)}</span>
        {isUploading ? (
          <span className={styles.progress} role="status">
            <progress max={1} value={progress} aria-label={t('photo.uploading')} />
            {t(progress < 1 ? 'photo.uploading' : 'photo.processing')}
          </span>
        ) : null}
        {(problem ?? errors[name]) ? (
          <span className={styles.problem} role="alert">
            {problem ?? errors[name]}
          </span>
        ) : null}
        <ChangeNote name={name} />
        <div className={styles.photoButtons}>
          <Button size="small" icon="upload" isBusy={isUploading} onClick={() => input.current?.click()}>
            {t(url === null ? `photo.${name}Add` : `photo.${name}Replace`)}
          </Button>
          {url === null || isUploading ? null : (
            <Button size="small" kind="quiet" icon="trash" onClick={() => change({ [name]: null })}>
              {t(`photo.${name}Remove`)}
            </Button>
          )}
        </div>
      </div>
      <input ref={input} type="file" accept={accepted} hidden aria-label={t(`photo.${name}`)} onChange={choose} data-photo={name} />
    </div>
  );
}

function useUpload(programId: string, onUploaded: (url: string) => void) {
  const { t } = useTranslation('portal-page');
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const upload = async (file: File): Promise<void> => {
    setProblem(null);
    setProgress(0);
    try {
      const { url } = await uploadImage({ programId, file, onProgress: setProgress });
      onUploaded(url);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setProblem(t(`photo.${uploadProblemOf(error)}`));
    } finally {
      setProgress(null);
    }
  };
  return { progress, problem, upload };
}
