import { toTexts } from './to-texts.ts';

export const texts = toTexts(import.meta.glob('./en/*.json', { eager: true, import: 'default' }));
