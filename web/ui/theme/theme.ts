// The component library's theme. Its colours resolve to our tokens, so that both schemes come from tokens.css.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const river: MantineColorsTuple = [
  '#E9F6F3',
  '#CFECE6',
  '#9BDBCF',
  '#5CC8B6',
  '#35A797',
  '#1B8A7D',
  '#0F7770',
  '#0A6560',
  '#074B48',
  '#053634',
];

export const theme = createTheme({
  colors: { river },
  primaryColor: 'river',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  fontFamily: 'var(--font-ui)',
  fontFamilyMonospace: 'var(--font-code)',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'never',
});

const shared = {
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-anchor': 'var(--river)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-error': 'var(--reversed)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-filled': 'var(--river)',
  '--mantine-primary-color-filled-hover': 'var(--deep)',
  '--mantine-primary-color-contrast': 'var(--on-river)',
  '--mantine-primary-color-light': 'var(--tint)',
  '--mantine-primary-color-light-color': 'var(--deep)',
};

/** Both schemes get the same mapping: the tokens switch automatically. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: shared, light: shared, dark: shared });
