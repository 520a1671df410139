// The logo: a file that is uploaded, or the address of an image.
import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { type UploadProblem, uploadImage, uploadProblemOf } from '../../../api/upload.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { type FieldProps, TextInput } from '../../../ui/form/fields.tsx';
import { Icon } from '../../../ui/icons.tsx';
import styles from './brand.module.css';
import { sourceOf } from './source-of.ts';

const accepted = 'image/jpeg,image/png,image/webp,image/avif';

export function LogoField({ value, onChange, ...rest }: FieldProps<string>) {
  const { t } = useTranslation('settings');
  const input = useRef<HTMLInputElement>(null);
  const { progress, problem, upload } = useUpload(onChange);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? [];
    if (file) void upload(file);
    // The same file can be chosen again.
    event.currentTarget.value = '';
  };
  const source = sourceOf(value);
  return (
    <div className={styles.logo}>
      <div className={styles.logoFrame}>{source === null ? <Icon name="image" size={24} /> : <img src={source} alt="" />}</div>
      <div className={styles.logoBody}>
        <TextInput
          {...rest}
          value={value}
          onChange={onChange}
          type="url"
          inputMode="url"
          placeholder="https://"
          help={t('brand.logoHelp')}
          error={problem === null ? rest.error : t(`brand.upload.${problem}`)}
        />
        <div className={styles.logoButtons}>
          <Button size="small" icon="upload" isBusy={progress !== null} onClick={() => input.current?.click()}>
            {t('brand.logoUpload')}
          </Button>
          {value === '' || progress !== null ? null : (
            <Button size="small" kind="quiet" icon="trash" onClick={() => onChange('')}>
              {t('brand.logoRemove')}
            </Button>
          )}
        </div>
      </div>
      <input ref={input} type="file" accept={accepted} hidden aria-label={t('brand.logoUpload')} onChange={choose} />
    </div>
  );
}

function useUpload(onUploaded: (url: string) => void) {
  const { id: programId } = useProgram();
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<UploadProblem | null>(null);
  const upload = async (file: File): Promise<void> => {
    setProblem(null);
    setProgress(0);
    try {
      const { url } = await uploadImage({ programId, file, onProgress: setProgress });
      onUploaded(url);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setProblem(uploadProblemOf(error));
    } finally {
      setProgress(null);
    }
  };
  return { progress, problem, upload };
}
