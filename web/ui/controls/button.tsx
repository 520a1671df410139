// Buttons. A button is a verb with its object and, where money moves, the amount.
import type { ComponentProps, ReactNode, Ref } from 'react';
import { Icon, type IconName } from '../icons.tsx';
import { Link } from '../layout/link.tsx';
import { Kbd } from '../marks/kbd.tsx';
import styles from './button.module.css';

type Look = {
  /** `primary` once per view; `danger` for what can't be undone; `quiet` without a border. */
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'small' | 'medium';
  icon?: IconName;
  /** After the label, such as a chevron on a menu. */
  iconAfter?: IconName;
  /** Shown on the button and announced to screen readers. */
  keys?: string;
};

type Props = Look & {
  children: ReactNode;
  /** Shows that the action is running; the button stays focused and does nothing in the meantime. */
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
} & Omit<ComponentProps<'button'>, 'className' | 'style' | 'ref'>;

export function Button({ kind, size, icon, iconAfter, keys, isBusy = false, children, type = 'button', onClick, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={styles.button}
      {...lookOf({ kind, size })}
      aria-keyshortcuts={keys}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      <Label icon={icon} iconAfter={iconAfter} keys={keys} isBusy={isBusy} isOnRiver={kind === 'primary'}>
        {children}
      </Label>
    </button>
  );
}

type LinkProps = Look & { children: ReactNode; href: string; isDownload?: boolean; isNewTab?: boolean };

/** A link that looks like a button; for navigation and downloads. */
export function ButtonLink({ kind, size, icon, iconAfter, keys, children, href, isDownload = false, isNewTab = false }: LinkProps) {
  return (
    <Link
      className={styles.button}
      {...lookOf({ kind, size })}
      href={href}
      download={isDownload || undefined}
      target={isNewTab ? '_blank' : undefined}
      aria-keyshortcuts={keys}
    >
      <Label icon={icon} iconAfter={iconAfter} keys={keys} isBusy={false} isOnRiver={kind === 'primary'}>
        {children}
      </Label>
    </Link>
  );
}

function lookOf({ kind = 'secondary', size = 'medium' }: { kind: Look['kind'] | undefined; size: Look['size'] | undefined }) {
  return { 'data-kind': kind, 'data-size': size };
}

type LabelProps = { children: ReactNode; isBusy: boolean; isOnRiver: boolean } & Record<'icon' | 'iconAfter', IconName | undefined> & {
    keys: string | undefined;
  };

function Label({ icon, iconAfter, keys, isBusy, isOnRiver, children }: LabelProps) {
  return (
    <>
      {isBusy ? <span className={styles.spinner} aria-hidden /> : icon === undefined ? null : <Icon name={icon} size={16} />}
      <span className={styles.label}>{children}</span>
      {iconAfter === undefined ? null : <Icon name={iconAfter} size={16} />}
      {keys === undefined ? null : isOnRiver ? <Kbd keys={keys} on="river" /> : <Kbd keys={keys} />}
    </>
  );
}

type IconButtonProps = {
  icon: IconName;
  /** What it does; screen readers read it and the browser shows it on hover. */
  label: string;
  size?: 'small' | 'medium';
  isPressed?: boolean;
  keys?: string;
  ref?: Ref<HTMLButtonElement>;
} & Omit<ComponentProps<'button'>, 'className' | 'style' | 'aria-label' | 'title' | 'ref'>;

/** A button with only an icon. */
export function IconButton({ icon, label, size = 'medium', isPressed, keys, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={styles.iconButton}
      data-size={size}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      aria-keyshortcuts={keys}
    >
      <Icon name={icon} size={size === 'small' ? 16 : 18} />
    </button>
  );
}
