// A color: typed as its code, or chosen in the browser's own dialog.
import { useTranslation } from 'react-i18next';
import { type FieldProps, TextInput } from '../../../ui/form/fields.tsx';
import styles from './brand.module.css';
import { isColor, textColorOn } from './contrast.ts';

export const defaultColor = '#0B5F59';

export function ColorInput({ value, onChange, help, ...rest }: FieldProps<string>) {
  const { t } = useTranslation('settings');
  const shown = isColor(value) ? value : defaultColor;
  const contrast = isColor(value) ? t(`brand.textOn.${textColorOn(value)}`) : null;
  return (
    <TextInput
      {...rest}
      value={value}
      onChange={onChange}
      placeholder={defaultColor}
      maxLength={7}
      isMono
      help={contrast === null ? help : `${contrast} ${typeof help === 'string' ? help : ''}`}
      before={
        <input
          type="color"
          className={styles.color}
          aria-label={t('brand.colorChoose')}
          value={shown.toLowerCase()}
          onChange={(event) => onChange(event.currentTarget.value.toUpperCase())}
        />
      }
    />
  );
}
